import {
  describeWallet,
  WALLETS,
  type WalletKind,
  type WalletSettings,
  type WalletSummary,
} from '../../domain/participants/wallet.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'

interface Change {
  tenantId: string
  record: AuditRecorder
  now: Date
}

/** Sets what a tenant signs passes with. The audit log keeps only what `ots wallet show` prints. */
export function setWallet<Kind extends WalletKind>(
  kind: Kind,
  settings: WalletSettings[Kind],
  { tenantId, record, now }: Change,
  store: Store,
): Promise<WalletSummary> {
  return store.transaction(async (tx) => {
    const tenants = await tx.catalog.tenants()
    if (!tenants.some(({ id }) => id === tenantId)) throw refuse('notFound', `Unknown tenant "${tenantId}".`)
    const summary = describeWallet(kind, settings)
    await tx.wallets.put(tenantId, kind, settings, now)
    await record(tenantId, { action: 'wallet.set', subject: { type: 'wallet', id: kind }, after: summary }, tx)
    return summary
  })
}

export function removeWallet(kind: WalletKind, { tenantId, record }: Change, store: Store): Promise<boolean> {
  return store.transaction(async (tx) => {
    const isRemoved = await tx.wallets.remove(tenantId, kind)
    if (isRemoved) await record(tenantId, { action: 'wallet.remove', subject: { type: 'wallet', id: kind } }, tx)
    return isRemoved
  })
}

export async function listWallets(tenantId: string, store: Store): Promise<WalletSummary[]> {
  const found = await Promise.all(
    WALLETS.map(async (kind) => {
      const settings = await store.wallets.find(tenantId, kind)
      return settings && describeWallet(kind, settings)
    }),
  )
  return found.filter((summary) => summary !== undefined)
}
