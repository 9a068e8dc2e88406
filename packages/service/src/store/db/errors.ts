/**
 * The database cannot be reached, does not answer in time, or does not accept writes at the moment. Retrying later helps. What
 * was under way may or may not have been committed.
 */
export class Unavailable extends Error {
  readonly code: string | undefined

  constructor(message: string, options: { code?: string | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.code = options.code
  }
}

/** Too many requests are waiting: refused before anything was done. */
export class Overloaded extends Unavailable {
  constructor() {
    super('Too many requests are waiting.', { code: 'OVERLOADED' })
  }
}

/** SQLSTATE classes that say nothing about the statement (PostgreSQL manual, appendix A). */
const UNAVAILABLE = /^(08|28|3D|53|57P0|57014|25006|25P03|55P03|40001|40P01|58)/

/** Socket and DNS errors. */
const UNREACHABLE = /^(E(?!RR_)[A-Z_]+|ERR_(STREAM|SOCKET|TLS|SSL)_.+)$/

/** The connection broke: worth an immediate retry on another one, unlike a server that is slow or down. */
export const isLostConnection = (error: unknown) =>
  error instanceof Unavailable && /^(ECONNRESET|EPIPE|57P01)$/.test(error.code ?? '')

/** Lock timeout, serialization failure or deadlock: on its own the statement may succeed. */
export const isContention = (error: unknown) => /^(55P03|40001|40P01)$/.test(codeOf(error) ?? '')

/**
 * The prepared statement is missing, is another one, or its tables have changed since. It was not run, and another session can
 * prepare it again.
 */
export const isForgottenStatement = (error: unknown) => /^(26000|42P05|0A000)$/.test(codeOf(error) ?? '')

/** An earlier statement of the transaction failed, and only its failure says why. */
export const isAborted = (error: unknown) => codeOf(error) === '25P02'

/** The statement took longer than the server allows. */
export const isTimeout = (error: unknown) => codeOf(error) === '57014'

/** A write was sent to a standby, or to a primary that was demoted. */
export const isReadOnly = (error: unknown) => codeOf(error) === '25006'

/**
 * The server is there, but cannot store anything: it is read-only, its disk is full or fails, it lacks memory, or it has just crashed.
 * Reads may go on as if nothing were wrong.
 */
export const isRefusedWrite = (error: unknown) => /^(25006|53100|53200|58030|57P02)$/.test(codeOf(error) ?? '')

/** Converts an error of the driver or server to what the store's callers expect. */
export function asFailure(error: unknown): Error {
  if (error instanceof Unavailable) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  // The driver's errors about broken connections have no code.
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

/** The name of the constraint that the statement violated. */
export const violatedConstraint = (error: unknown) => (error as { constraint?: string } | undefined)?.constraint
