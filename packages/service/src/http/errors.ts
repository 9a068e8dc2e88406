import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errorDocs, limitProblems, type ErrorBody, type ErrorCode, type Problem } from '@order-testing/contract'
import { Refusal } from '../domain/refusal.ts'
import { readTrace, traceIdOf } from '../domain/traces.ts'
import { Overloaded, Unavailable } from '../store/db/errors.ts'
import { ForeignRequest } from './same-origin.ts'
import { ScopeRefusal } from './scopes.ts'
import { JSON_TYPE } from './sending.ts'

/** HTTP statuses of refusal codes; all others are 400. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  unauthenticated: 401,
  insufficientScope: 401,
  notFound: 404,
  conflict: 409,
  invalidState: 422,
  tooManyRequests: 429,
  internalError: 500,
}

export function errorBody(statusCode: number, problems: Problem[]): ErrorBody {
  return {
    error: STATUS_CODES[statusCode] ?? 'Error',
    errors: limitProblems(problems).map(({ code, detail, meta, pointer }) => ({
      code,
      detail,
      meta: { ...meta, docs: errorDocs(code) },
      ...(pointer !== undefined && { source: { pointer } }),
    })),
    statusCode,
  }
}

export function sendError(reply: FastifyReply, statusCode: number, problems: Problem[]): FastifyReply {
  reply.request.problems = problems
  return reply
    .code(statusCode)
    .type(JSON_TYPE)
    .send(JSON.stringify(errorBody(statusCode, problems)))
}

/** Answers every failure with the error body. */
export function handleError(error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ScopeRefusal) {
    void reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${error.scopes}"`)
    return sendError(reply, error.status, error.problems)
  }
  if (error instanceof ForeignRequest) return sendError(reply, 403, error.problems)
  if (error instanceof Refusal) return sendRefusal(error, reply)
  const known = FRAMEWORK[error.code]
  if (known) return sendError(reply, known.status, [{ code: known.code, detail: known.detail(request.routeOptions) }])
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return sendError(reply, error.statusCode, [{ code: 'badRequest', detail: 'Malformed request.' }])
  }
  if (error instanceof Overloaded)
    return sendRetryLater(reply, 'The service is busy. Nothing was changed. Try again in a second.')
  logFailure(error, request)
  if (error instanceof Unavailable) return sendUnavailable(request, reply)
  return sendError(reply, 500, [
    { code: 'internalError', detail: 'Something went wrong on our side. Try again later.' },
  ])
}

export function logFailure(error: FastifyError, request: FastifyRequest): void {
  const { log, method, routeOptions } = request
  log.error({ ...logIdsOf(request), err: redactError(error), method, route: routeOptions.url }, 'Request failed')
}

/** By which ids log lines of a request are found: its own, and that of the W3C trace that it belongs to. */
export function logIdsOf({ id, headers }: Pick<FastifyRequest, 'id' | 'headers'>): { reqId: string; traceId?: string } {
  const trace = readTrace(headers['traceparent'])
  return { reqId: id, ...(trace !== undefined && { traceId: traceIdOf(trace) }) }
}

/** A write may have committed before its answer was lost, so repeating it might perform it twice. */
function sendUnavailable(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isCreate =
    request.method === 'POST' && /^\/api\/(v[12]|operator\/v1)\/orders\/?$/.test(request.routeOptions.url ?? '')
  const detail = isCreate
    ? `The service is temporarily unavailable. The order may have been created: ${
        request.headers['idempotency-key'] === undefined
          ? 'look for it before you repeat the request. A request that has an Idempotency-Key can be repeated safely with the same Idempotency-Key.'
          : 'repeat the request with the same Idempotency-Key.'
      }`
    : 'The service is temporarily unavailable. Try again later.'
  return sendRetryLater(reply, detail)
}

const sendRetryLater = (reply: FastifyReply, detail: string) =>
  sendError(reply.header('retry-after', 1), 503, [{ code: 'internalError', detail }])

function sendRefusal({ problems, retryAfter }: Refusal, reply: FastifyReply): FastifyReply {
  const statuses = problems.map((problem) => statusOf(problem))
  // With other problems besides a conflict, the request is simply invalid.
  const status = statuses.includes(400) ? 400 : (statuses[0] ?? 400)
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  if (status === 401) void reply.header('www-authenticate', challengeOf(problems))
  return sendError(reply, status, problems)
}

/** `tooBig` without a pointer is about the body itself. */
const statusOf = ({ code, pointer }: Problem) =>
  code === 'tooBig' && pointer === undefined ? 413 : (STATUS[code] ?? 400)

const challengeOf = (problems: Problem[]) =>
  problems.some(({ code }) => code === 'insufficientScope') ? 'Bearer error="insufficient_scope"' : 'Bearer'

type Route = FastifyRequest['routeOptions']

const FRAMEWORK: Record<string, { status: number; code: ErrorCode; detail: (route: Route) => string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'tooBig',
    detail: ({ bodyLimit }) => `The body is larger than ${formatSize(bodyLimit)}.`,
  },
  OTS_COMPRESSED_BODY: {
    status: 415,
    code: 'badRequest',
    detail: () => 'Send the body uncompressed: Content-Encoding is not supported.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'badRequest',
    detail: ({ config }) =>
      `Send the body as Content-Type: ${(config.bodyTypes ?? ['application/json']).join(' or ')}.`,
  },
}

const formatSize = (bytes: number) => (bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`)

/**
 * An error without personal data, for the log. PostgreSQL quotes values in its details, which are dropped, and in messages
 * of class 22. Fastify names the URL of a request that was answered twice, which may be a participant's link.
 */
export function redactError({ message, stack, code }: Pick<FastifyError, 'message' | 'stack' | 'code'>): Error {
  const isAnswered = code === 'FST_ERR_REP_ALREADY_SENT'
  const safe = code?.startsWith('22') ? 'Invalid value.' : isAnswered ? 'The request was already answered.' : message
  const calls = stack?.slice(stack.indexOf('\n    at ')) ?? ''
  return Object.assign(new Error(safe), { code, stack: safe + calls })
}
