import { LINKED_AT_ONCE } from '../../store/audit/chain.ts'
import type { Store } from '../../store/store.ts'

/** Batches per tenant and call, so that a busy tenant does not delay the others. */
const MAX_BATCHES = 10

/** Links committed audit entries to their chains. Safe in several processes at once. Returns whether more may be left. */
export async function linkAudit(store: Pick<Store, 'auditChain' | 'transaction'>): Promise<boolean> {
  let isMore = false
  for (const tenantId of await store.auditChain.tenantsToLink()) {
    let linked = LINKED_AT_ONCE
    for (let batch = 0; batch < MAX_BATCHES && linked === LINKED_AT_ONCE; batch++)
      linked = await store.transaction((tx) => tx.auditChain.link(tenantId))
    isMore ||= linked === LINKED_AT_ONCE
  }
  return isMore
}

/** Links until no entry is left. */
export async function linkAllAudit(store: Parameters<typeof linkAudit>[0]): Promise<void> {
  while (await linkAudit(store));
}
