import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parse, parsePartly, type Endpoint, type Part, type Problem } from '@order-testing/contract'
import { withoutEchoes } from '../../domain/echoes.ts'
import { notFound, Refusal } from '../../domain/refusal.ts'
import type { Check, Context, RawOperation } from '../../operations/operation.ts'

export interface Reading<E extends Endpoint> {
  /** Whether the operation parses the body itself. */
  readsBody?: boolean
  /** Rules that are also checked in a request that its schemas refuse. The operation checks those of all others. */
  check?: Check<E>
}

/** Reads all parts of a request, so that one answer reports every problem. */
export function readInput<E extends Endpoint>(
  endpoint: E,
  request: FastifyRequest,
  { readsBody = false, check }: Reading<E>,
  { policy }: Pick<Context, 'policy'>,
) {
  const problems: Problem[] = []
  const read = (schema: Endpoint['body'], input: unknown, part?: Part) => {
    if (!schema) return undefined
    const parsed = parse(schema, input, part)
    if (parsed.ok) return parsed.value
    problems.push(...parsed.problems)
    return undefined
  }
  const params = read(endpoint.params, request.params, 'parameter')
  const query = read(endpoint.query, request.query, 'parameter')
  const named = Object.keys(endpoint.headers?.shape ?? {}).map((name) => [name, request.headers[name.toLowerCase()]])
  const headers = endpoint.headers && parsePartly(endpoint.headers, Object.fromEntries(named))
  problems.push(...(headers?.problems ?? []))
  // Operations that parse the body themselves report its problems together with those of the rest.
  const body = readsBody ? request.body : read(endpoint.body, request.body)
  if (problems.length > 0 && !readsBody) {
    const valid = { query: partOf(endpoint.query, request.query), body: partOf(endpoint.body, request.body) }
    const broken = check?.(valid as Parameters<Check<E>>[0], { faults: problems, policy }) ?? []
    throw new Refusal([...problems, ...withoutEchoes(problems, broken)])
  }
  // No id contains NUL, which PostgreSQL would not accept.
  if (Object.values(request.params ?? {}).some((id) => String(id).includes('\u0000'))) throw notFound()
  return { params, query, headers: headers?.value, body, faults: problems } as unknown as Parameters<RawOperation<E>>[0]
}

const partOf = (schema: Endpoint['body'], input: unknown) =>
  schema instanceof z.ZodObject ? parsePartly(schema, input).partial : undefined
