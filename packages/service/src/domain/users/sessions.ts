/** How long sessions last, in seconds. */
export interface SessionLimits {
  /** However much it is used. */
  lifetime: number
  /** Without a request: then the session is locked. */
  idle: number
}

export const DEFAULT_LIMITS: SessionLimits = { lifetime: 12 * 3600, idle: 30 * 60 }

interface SessionTimes {
  lastSeenAt: Date
  expiresAt: Date
  /** When somebody locked it; null if nobody did. */
  lockedAt: Date | null
}

/** Whether a session has ended by its age. */
export const hasEnded = ({ expiresAt }: Pick<SessionTimes, 'expiresAt'>, now: Date): boolean => expiresAt <= now

/** Since when a session is locked: somebody locked it, or nobody used it for too long. Null if it is open. */
export function lockedSince(
  { lastSeenAt, lockedAt }: Omit<SessionTimes, 'expiresAt'>,
  { idle }: SessionLimits,
  now: Date,
): Date | null {
  const idleAt = new Date(lastSeenAt.getTime() + idle * 1000)
  return lockedAt ?? (idleAt <= now ? idleAt : null)
}

/** How long after a sign-in a person may add a passkey: somebody else at an open browser must not get a way in of their own. */
const FRESH_MS = 5 * 60_000

export const isFresh = ({ createdAt }: { createdAt: Date }, now: Date): boolean =>
  now.getTime() - createdAt.getTime() < FRESH_MS

/** A use is written at most this often, and more often than an idle limit of a minute could notice. */
const NOTED_EVERY_MS = 10_000

export const isWorthNoting = ({ lastSeenAt }: Pick<SessionTimes, 'lastSeenAt'>, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() >= NOTED_EVERY_MS

/** A user agent is shown to its owner only, so that a session can be recognized. */
const LONGEST_AGENT = 300

export const shortAgent = (header: string | undefined): string =>
  // oxlint-disable-next-line no-control-regex -- removed, because the text is shown in terminals
  (header ?? '').replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, LONGEST_AGENT)
