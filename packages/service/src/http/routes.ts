import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endpoints, parse, type Endpoint, type Input, type Problem } from '@order-testing/contract'
import type { Caller } from '../domain/caller.ts'
import { notFound, Refusal } from '../domain/refusal.ts'
import { listAgencies, readAgency, readJobCategory } from '../operations/agencies.ts'
import { listClinics, readClinic, searchClinics } from '../operations/clinics.ts'
import { listCompanies, readCompany } from '../operations/companies.ts'
import { listLocations, readLocation } from '../operations/locations.ts'
import type { Operation } from '../operations/operation.ts'
import { listPackages, readPackage } from '../operations/packages.ts'
import { listServices, readService } from '../operations/services.ts'
import type { Store } from '../store/store.ts'
import type { Answers } from './answers.ts'
import { requireScope, type Authenticate } from './authentication.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

export interface RouteContext {
  store: Store
  now: () => Date
  authenticate: Authenticate
  answers: Answers
}

export function addRoutes(app: FastifyInstance, context: RouteContext): void {
  app.decorateRequest('caller', null)
  const serve = router(app, context)
  const remembered = { remember: true }
  serve(endpoints.listAgencies, listAgencies, remembered)
  serve(endpoints.readAgency, readAgency, remembered)
  serve(endpoints.readJobCategory, readJobCategory, remembered)
  serve(endpoints.listClinics, listClinics, remembered)
  serve(endpoints.readClinic, readClinic, remembered)
  serve(endpoints.searchClinics, searchClinics)
  serve(endpoints.listCompanies, listCompanies, remembered)
  serve(endpoints.readCompany, readCompany, remembered)
  serve(endpoints.listLocations, listLocations, remembered)
  serve(endpoints.readLocation, readLocation, remembered)
  serve(endpoints.listPackages, listPackages, remembered)
  serve(endpoints.readPackage, readPackage, remembered)
  serve(endpoints.listServices, listServices, remembered)
  serve(endpoints.readService, readService, remembered)
}

/** Token, scope, rate limit (added behind the hook here), then the rest of the request: in this order, for every endpoint. */
const router =
  (app: FastifyInstance, { store, now, authenticate, answers }: RouteContext) =>
  <E extends Endpoint>(endpoint: E, operation: Operation<E>, { remember = false } = {}): void => {
    const { method, path, scope } = endpoint
    const answer = async (request: FastifyRequest) => {
      const { body } = await operation(readInput(endpoint, request), { caller: callerOf(request), store, now })
      return JSON.stringify(body)
    }
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: async (request) => {
        request.caller = await authenticate(request.headers.authorization)
        requireScope(request.caller, scope)
      },
      handler: async (request, reply) => {
        const caller = callerOf(request)
        const known = remember ? answers.get(caller, request.url) : undefined
        const text = known ?? (await answer(request))
        if (remember && known === undefined) answers.set(caller, request.url, text)
        return reply.type('application/json; charset=utf-8').send(text)
      },
    })
  }

function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('A route ran before its caller was known.')
  return request.caller
}

/** Reads all parts of a request, so that every problem of it is told at once. */
function readInput<E extends Endpoint>(endpoint: E, request: FastifyRequest): Input<E> {
  const problems: Problem[] = []
  const read = (schema: Endpoint['body'], input: unknown) => {
    if (!schema) return undefined
    const parsed = parse(schema, input)
    if (parsed.ok) return parsed.value
    problems.push(...parsed.problems)
    return undefined
  }
  const params = read(endpoint.params, request.params)
  const query = read(endpoint.query, request.query)
  const body = read(endpoint.body, request.body)
  if (problems.length > 0) throw new Refusal(problems)
  // No id holds NUL, which the database could not even be asked for.
  if (Object.values(request.params ?? {}).some((id) => String(id).includes('\u0000'))) throw notFound()
  return { params, query, body } as Input<E>
}
