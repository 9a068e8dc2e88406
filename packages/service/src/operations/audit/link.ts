import { LINKED_AT_ONCE } from '../../store/audit/chain.ts'
import type { Store } from '../../store/store.ts'

/** Batches of one tenant in one go, so that a busy one does not keep the others waiting. */
const BATCHES = 10

/** Links entries of the audit log that were committed since the last time. Any process may do so; tells whether more are left. */
export async function linkAudit(store: Store): Promise<boolean> {
  let isMore = false
  for (const tenantId of await store.auditChain.tenantsToLink()) {
    let linked = LINKED_AT_ONCE
    for (let batch = 0; batch < BATCHES && linked === LINKED_AT_ONCE; batch++)
      linked = await store.transaction((tx) => tx.auditChain.link(tenantId))
    isMore ||= linked === LINKED_AT_ONCE
  }
  return isMore
}

/** The same until none are left: for what has to find every entry linked. */
export async function linkAllAudit(store: Store): Promise<void> {
  while (await linkAudit(store));
}
