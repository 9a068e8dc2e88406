import type { Scope, Sender } from '@order-testing/contract'

/** Who asks: a token that was found genuine and may be used now. */
export interface Caller {
  tenantId: string
  tokenId: string
  scopes: ReadonlySet<Scope>
  /** The companies linked to the token, less those that are inactive. */
  companyIds: string[]
  /** Requests a minute; null leaves it to the service's setting. */
  rateLimit: number | null
  /** The version of catalog and tokens that this was found at: what is cached for the caller holds for this version. */
  catalogVersion: string
  /** The senders of result reports it may speak for; null for any of its intake scopes. */
  senders: readonly Sender[] | null
}

/** Whether the caller may see who is tested. */
export const mayReadParticipant = ({ scopes }: Caller): boolean =>
  scopes.has('order.participant.read') || scopes.has('operator.participants.read')
