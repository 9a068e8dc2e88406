import { z } from 'zod'
import type { Scope } from './scopes.ts'

export type SuccessStatus = 200 | 201 | 202 | 204

/** One operation of the interface: everything that client, server and OpenAPI document must agree on. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path template in OpenAPI's spelling, `/api/v2/orders/{id}`. */
  path: string
  /** The scope that a token needs, or several of which it needs one; none: any valid token will do. */
  scope: Scope | readonly Scope[]
  tag: string
  summary: string
  description?: string
  /** Whether only sandboxes serve it: production answers 404, as for any unknown path. */
  isSandboxOnly?: true
  /** Since when the operation is deprecated, and the page that says what to use instead (RFC 9745). */
  deprecation?: { at: string; guide: string }
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  /** Success answers by status; all have the same body. */
  replies: Partial<Record<SuccessStatus, string>>
  reply: z.ZodType
  /** Media type of the answer, if not JSON. */
  replyType?: string
  /** Media types accepted besides JSON, each answered in the same type unless it names another, with examples of both. */
  otherTypes?: Record<string, { body: string; reply: string; replyType?: string }>
  /** Refusal statuses besides those of every operation, of ids in the path (404) and of a body (413, 415). */
  refusals?: readonly (403 | 409 | 422)[]
  example: {
    params?: Record<string, string>
    query?: Record<string, unknown>
    headers?: Record<string, string>
    body?: unknown
    /** Further bodies, by name. */
    bodies?: Record<string, { summary: string; value: unknown }>
    reply: unknown
    /** Replies of statuses that differ from `reply`. */
    replies?: Partial<Record<SuccessStatus, unknown>>
  }
}

/** The scopes of which a token needs one. */
export const scopesOf = ({ scope }: Pick<Endpoint, 'scope'>): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope

const NO_QUERY = z.strictObject({})

/** An endpoint with its literal types, so that operations are checked against it. It takes no query unless it has one. */
export function endpoint<const E extends Endpoint>(definition: E): WithQuery<E> {
  return { query: NO_QUERY, ...definition } as WithQuery<E>
}

type WithQuery<E> = E extends { query: z.ZodObject } ? E : E & { query: typeof NO_QUERY }

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** The parsed request, as an operation receives it. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  headers: Parsed<E['headers']>
  body: Parsed<E['body']>
}

/** The body that an operation answers with. */
export type Reply<E extends Endpoint> = z.output<E['reply']>
