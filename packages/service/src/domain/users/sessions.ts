/** How long sessions last, in seconds. */
export interface SessionLimits {
  /** However much it is used. */
  lifetime: number
  /** Without a request. */
  idle: number
}

export const DEFAULT_LIMITS: SessionLimits = { lifetime: 12 * 3600, idle: 30 * 60 }

interface SessionTimes {
  lastSeenAt: Date
  expiresAt: Date
}

/** Whether a session has ended by its age or because nobody used it. */
export const hasEnded = ({ lastSeenAt, expiresAt }: SessionTimes, { idle }: SessionLimits, now: Date): boolean =>
  expiresAt <= now || now.getTime() - lastSeenAt.getTime() >= idle * 1000

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
