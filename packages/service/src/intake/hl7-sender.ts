import { INTAKE_SCOPES, type SenderKind } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import type { Segment } from './hl7.ts'
import { isReviewers } from './hl7-outcome.ts'

/** Who sent a message, and as what. */
export interface Hl7Sender {
  kind: SenderKind
  /** Empty where the header names nobody. */
  id: string
  /** Of its times without an offset. */
  timezone: string | undefined
}

/**
 * The facility, else the application, by name, else by its other id; where the token lists senders, the one it lists. One
 * that is listed in several roles speaks as the reviewer where every report says so, else in its first other role.
 */
export function senderOf(segments: Segment[], { scopes, senders }: Pick<Caller, 'scopes' | 'senders'>): Hl7Sender {
  const header = segments[0]!
  const named = [header.at(4), header.at(4, 2), header.at(3), header.at(3, 2)].filter((name) => name !== '')
  const roles = named.map((name) => (senders ?? []).filter(({ id }) => id === name)).find(({ length }) => length > 0)
  const isReviewed = roles !== undefined && roles.length > 1 && areReviewed(segments)
  const listed = roles?.find(({ role }) => (role === 'mro') === isReviewed) ?? roles?.[0]
  if (listed) return { kind: listed.role, id: listed.id, timezone: listed.timezone }
  return { kind: kindOf(scopes), id: named[0] ?? '', timezone: undefined }
}

/** Whether every report holds an observation that is the medical reviewer's by its name. */
function areReviewed(segments: Segment[]): boolean {
  const reports: boolean[] = []
  for (const segment of segments) {
    if (segment.name === 'OBR') reports.push(false)
    else if (segment.name === 'OBX' && reports.length > 0) reports[reports.length - 1] ||= isReviewers(segment)
  }
  return reports.length > 0 && reports.every(Boolean)
}

/** What the scopes of a token make its holder; with several of them, a laboratory. */
function kindOf(scopes: Caller['scopes']): SenderKind {
  const kinds = INTAKE_SCOPES.filter((scope) => scopes.has(scope))
  return kinds.length === 1 ? (kinds[0]!.slice('intake.'.length) as SenderKind) : 'lab'
}
