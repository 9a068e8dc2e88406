/**
 * The database cannot be reached, does not answer in time, or takes no writes at the moment. Trying again later helps. What
 * was under way may or may not have been committed.
 */
export class Unavailable extends Error {
  readonly code: string | undefined

  constructor(message: string, options: { code?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = options.code
  }
}

/** Too much is waiting already: refused before anything was done. */
export class Overloaded extends Unavailable {
  constructor() {
    super('Too many requests are waiting.', { code: 'OVERLOADED' })
  }
}

/** SQLSTATEs and classes of them that say nothing about the statement: PostgreSQL's manual, appendix A. */
const UNAVAILABLE = /^(08|28|3D|53|57P0|57014|25006|25P03|55P03|40001|40P01|58)/

/** Failures of the socket and of looking up the host. */
const UNREACHABLE = /^(E(?!RR_)[A-Z_]+|ERR_(STREAM|SOCKET|TLS|SSL)_.+)$/

/** The connection broke, which another one may not: worth another try at once, unlike a server that is slow or away. */
export const isLostConnection = (error: unknown) =>
  error instanceof Unavailable && /^(ECONNRESET|EPIPE|57P01)$/.test(error.code ?? '')

/** The statement lost to others that held what it needed: alone it may get through. */
export const isContention = (error: unknown) => /^(55P03|40001|40P01)$/.test(codeOf(error) ?? '')

/**
 * The session knows no statement of this name, or another one, or its tables have changed since it was prepared. It was not
 * run, and another session can prepare it anew.
 */
export const isForgottenStatement = (error: unknown) => /^(26000|42P05|0A000)$/.test(codeOf(error) ?? '')

/** A write was sent to a server that only reads: a standby, or a primary that was demoted. */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006'

/** A failure of the driver or of the server as the store's callers see it. */
export function asFailure(error: unknown): Error {
  if (error instanceof Unavailable) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  // What the driver says of a broken connection has no code.
  const isDriver =
    code === undefined && error instanceof Error && /^(Connection terminated|Client |timeout expired)/.test(message)
  if (isDriver || UNAVAILABLE.test(code ?? '') || UNREACHABLE.test(code ?? ''))
    return new Unavailable(message, { code: code ?? 'ECONNRESET', cause: error })
  return error instanceof Error ? error : new Error(message)
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** The constraint that a statement would have violated. */
export const violatedConstraint = (error: unknown) => (error as { constraint?: string } | undefined)?.constraint
