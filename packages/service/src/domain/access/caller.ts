import type { Scope, Sender } from '@order-testing/contract'

/** A person who is signed in to the console. */
export interface Person {
  id: string
  name: string
  sessionId: string
}

/** The authenticated token, or person, behind a request. */
export interface Caller {
  tenantId: string
  /** Of a person, the id of the user. */
  tokenId: string
  /** Set if a person acts, not a token. */
  user?: Person | undefined
  scopes: ReadonlySet<Scope>
  /** The active companies linked to the token. */
  companyIds: string[]
  /** Requests per minute; null applies the service's setting. */
  rateLimit: number | null
  /** The version of catalog and tokens at authentication; anything cached for the caller is valid for this version only. */
  catalogVersion: string
  /** The senders whose result reports the token may submit; null allows any sender within its intake scopes. */
  senders: readonly Sender[] | null
}

/** Whether the caller may see the participant's data. */
export const canReadParticipant = ({ scopes }: Caller): boolean =>
  scopes.has('order.participant.read') || scopes.has('operator.participants.read')

/** The name of a token, by which limits are shared out. */
export const partyOf = ({ tenantId, tokenId }: Pick<Caller, 'tenantId' | 'tokenId'>) => `${tenantId} ${tokenId}`
