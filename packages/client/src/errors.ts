import type { ErrorEntry } from './generated/catalog.ts'

/** One problem of a refused request. */
export interface Problem {
  /** The kind of problem. Further codes may be added: fall back on the error's `status`. */
  code: ErrorEntry['code']
  /** What is wrong and what to do next, for people. */
  detail: string
  /** JSON pointer to the member of the request at fault, such as `/participant/birthDate`. */
  pointer?: string
  /** Data about the problem, for programs. */
  meta?: NonNullable<ErrorEntry['meta']>
}

export interface Failure {
  status?: number | undefined
  problems?: Problem[]
  requestId?: string | undefined
  retryAfter?: number | undefined
  idempotencyKey?: string | undefined
}

/** A call that did not succeed. It never contains the token. */
export class OrderTestingError extends Error {
  override name = 'OrderTestingError'
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** What the service reported, one entry per problem. Empty if the response was not one of the service's. */
  readonly problems: readonly Problem[]
  /** Identifies the request in the service's logs. */
  readonly requestId: string | undefined
  /** Seconds after which the service asks to try again. */
  readonly retryAfter: number | undefined
  /** The key of a create: with the same key and body, it can be repeated without placing a second order. */
  readonly idempotencyKey: string | undefined

  constructor(message: string, failure: Failure = {}) {
    super(message)
    this.status = failure.status
    this.problems = failure.problems ?? []
    this.requestId = failure.requestId
    this.retryAfter = failure.retryAfter
    this.idempotencyKey = failure.idempotencyKey
  }
}

/** The connection failed before the whole response was there. */
export class NetworkError extends OrderTestingError {
  override name = 'NetworkError'
}

/** No whole response within the time-out. */
export class TimeoutError extends OrderTestingError {
  override name = 'TimeoutError'
}

/** 404: it does not exist, or the token cannot see it. */
export class NotFoundError extends OrderTestingError {
  override name = 'NotFoundError'
}

/** 409: a name fits several resources, or the `Idempotency-Key` was used with another body. */
export class ConflictError extends OrderTestingError {
  override name = 'ConflictError'
}

/** 429: wait for `retryAfter` seconds. */
export class RateLimitError extends OrderTestingError {
  override name = 'RateLimitError'
}

/** The error for a response that is no success. */
export function refusal(message: string, failure: Failure & { status: number }): OrderTestingError {
  const [first, ...others] = failure.problems ?? []
  const where = first?.pointer ? `${first.pointer}: ` : ''
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const text = first ? `${message}: ${where}${first.detail}${more}` : message
  switch (failure.status) {
    case 404:
      return new NotFoundError(text, failure)
    case 409:
      return new ConflictError(text, failure)
    case 429:
      return new RateLimitError(text, failure)
    default:
      return new OrderTestingError(text, failure)
  }
}

/** The problems of an error body. A proxy may have sent anything instead. */
export function problemsOf(text: string): Problem[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return []
  }
  const entries = isObject(body) && Array.isArray(body['errors']) ? (body['errors'] as unknown[]) : []
  return entries.filter(isObject).map(({ code, detail, source, meta }) => ({
    code: String(code),
    detail: String(detail),
    ...(isObject(source) && typeof source['pointer'] === 'string' && { pointer: source['pointer'] }),
    ...(isObject(meta) && { meta }),
  }))
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
