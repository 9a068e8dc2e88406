import type { Caller } from '../../src/domain/access/caller.ts'

/** A caller without rights. */
export const callerOf = (tokenId: string): Caller => ({
  tenantId: 'acme',
  tokenId,
  scopes: new Set(),
  companyIds: [],
  rateLimit: null,
  catalogVersion: '1',
  senders: null,
})
