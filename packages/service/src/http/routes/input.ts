import type { FastifyRequest } from 'fastify'
import { parse, parsePartly, type Endpoint, type Part, type Problem } from '@order-testing/contract'
import { notFound, Refusal } from '../../domain/refusal.ts'
import type { RawOperation } from '../../operations/operation.ts'

/** Reads all parts of a request, so that one answer reports every problem. */
export function readInput<E extends Endpoint>(endpoint: E, request: FastifyRequest, leavesBody: boolean) {
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
  const body = leavesBody ? request.body : read(endpoint.body, request.body)
  if (problems.length > 0 && !leavesBody) throw new Refusal(problems)
  // No id contains NUL, which PostgreSQL would not accept.
  if (Object.values(request.params ?? {}).some((id) => String(id).includes('\u0000'))) throw notFound()
  return { params, query, headers: headers?.value, body, faults: problems } as unknown as Parameters<RawOperation<E>>[0]
}
