import { INTAKE_SCOPES, type SenderKind } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import type { Group } from './hl7-groups.ts'
import { isReviewerObservation } from './hl7-outcome.ts'
import type { Segment } from './hl7.ts'

export interface Hl7Sender {
  kind: SenderKind
  /** Empty if the header names no sender. */
  id: string
  /** For times without an offset. */
  timezone: string | undefined
}

/**
 * Finds the sender: the facility (MSH-4), else the application (MSH-3), preferring one that the token lists. A sender listed
 * in several roles is the reviewer if every report has an observation of the reviewer, else it has its first other role.
 */
export function findSender(
  header: Segment,
  groups: Group[],
  { scopes, senders }: Pick<Caller, 'scopes' | 'senders'>,
): Hl7Sender {
  const named = [header.at(4), header.at(4, 2), header.at(3), header.at(3, 2)].filter((name) => name !== '')
  const roles = named.map((name) => (senders ?? []).filter(({ id }) => id === name)).find(({ length }) => length > 0)
  const isReviewed =
    roles !== undefined &&
    roles.length > 1 &&
    groups.length > 0 &&
    groups.every(({ observations }) => observations.some(isReviewerObservation))
  const listed = roles?.find(({ role }) => (role === 'mro') === isReviewed) ?? roles?.[0]
  if (listed) return { kind: listed.role, id: listed.id, timezone: listed.timezone }
  return { kind: kindOf(scopes), id: named[0] ?? '', timezone: undefined }
}

/** How much of a message is read for its sender. */
const HEADER_BYTES = 2_048

/** The senders that the header of a message may name, before anything else of it is read. */
export function readSenderNames(message: Buffer): string[] {
  const start = message.indexOf('MSH')
  if (start === -1) return []
  const [header = ''] = message.toString('utf8', start, start + HEADER_BYTES).split(/[\r\n]/, 1)
  const [, , application = '', facility = ''] = header.split(header[3] ?? '|')
  const between = header[4] ?? '^'
  return [facility, application].flatMap((field) => field.split(between).slice(0, 2)).filter((name) => name !== '')
}

/**
 * The token whose list names the sender of a message; else the first that may send for anyone, else the first. Several tokens
 * share a line, so that laboratories have their own, and one can be replaced while the other still works.
 */
export function chooseToken<T extends Pick<Caller, 'senders'>>(
  tokens: readonly T[],
  names: readonly string[],
): T | undefined {
  const listing = tokens.find(({ senders }) => senders?.some(({ id }) => names.includes(id)))
  return listing ?? tokens.find(({ senders }) => senders === null) ?? tokens[0]
}

/** The kind that the token's only intake scope names; a laboratory if it has several. */
function kindOf(scopes: Caller['scopes']): SenderKind {
  const kinds = INTAKE_SCOPES.filter((scope) => scopes.has(scope))
  return kinds.length === 1 ? (kinds[0]!.slice('intake.'.length) as SenderKind) : 'lab'
}
