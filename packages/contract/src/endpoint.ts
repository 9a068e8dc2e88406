import type { z } from 'zod'
import type { Scope } from './scopes.ts'

export type SuccessStatus = 200 | 201 | 202

/** One operation of the interface: everything that client, server and document must agree on. */
export interface Endpoint {
  /** Unique name, the `operationId` of the document. */
  name: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path template in OpenAPI's spelling, `/api/v2/orders/{id}`. */
  path: string
  /** What it asks of a token: one scope, or any of several. */
  scope: Scope | readonly Scope[]
  tag: string
  summary: string
  description?: string
  params?: z.ZodObject
  query?: z.ZodObject
  headers?: z.ZodObject
  body?: z.ZodType
  /** Success answers by status; all of them carry the same body. */
  replies: Partial<Record<SuccessStatus, string>>
  reply: z.ZodType
  /** What the answer is sent as, where that is not JSON. */
  replyType?: string
  /** Types of bodies that it takes beside JSON, each answered in its own, with examples of both. */
  otherTypes?: Record<string, { body: string; reply: string }>
  /** Statuses of refusals beyond those every operation has (401, 429, 500). */
  refusals: readonly (400 | 403 | 404 | 409 | 413 | 415 | 422)[]
  example: {
    params?: Record<string, string>
    query?: Record<string, unknown>
    headers?: Record<string, string>
    body?: unknown
    reply: unknown
    /** Where a status has a reply of its own. */
    replies?: Partial<Record<SuccessStatus, unknown>>
  }
}

/** The scopes of which a token needs one. */
export const scopesOf = ({ scope }: Pick<Endpoint, 'scope'>): readonly Scope[] =>
  typeof scope === 'string' ? [scope] : scope

/** Keeps the literal types of an endpoint, so that operations are checked against it. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

/** What an operation receives: the request after parsing. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  headers: Parsed<E['headers']>
  body: Parsed<E['body']>
}

/** What an operation answers. */
export type Reply<E extends Endpoint> = z.output<E['reply']>
