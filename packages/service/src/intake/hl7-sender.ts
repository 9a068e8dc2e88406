import { INTAKE_SCOPES, type SenderKind } from '@order-testing/contract'
import type { Caller } from '../domain/caller.ts'
import type { Segment } from './hl7.ts'

/** Who sent a message, and as what. */
export interface Hl7Sender {
  kind: SenderKind
  /** Empty where the header names nobody. */
  id: string
  /** Of its times without an offset. */
  timezone: string | undefined
}

/** The facility, else the application, by name, else by its other id; where the token lists senders, the one it lists. */
export function senderOf(header: Segment, { scopes, senders }: Pick<Caller, 'scopes' | 'senders'>): Hl7Sender {
  const named = [header.at(4), header.at(4, 2), header.at(3), header.at(3, 2)].filter((name) => name !== '')
  const listed = named.flatMap((name) => senders?.find(({ id }) => id === name) ?? [])[0]
  if (listed) return { kind: listed.role, id: listed.id, timezone: listed.timezone }
  return { kind: kindOf(scopes), id: named[0] ?? '', timezone: undefined }
}

/** What the scopes of a token make its holder; with several of them, a laboratory. */
function kindOf(scopes: Caller['scopes']): SenderKind {
  const kinds = INTAKE_SCOPES.filter((scope) => scopes.has(scope))
  return kinds.length === 1 ? (kinds[0]!.slice('intake.'.length) as SenderKind) : 'lab'
}
