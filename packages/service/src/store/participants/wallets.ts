import type { WalletKind, WalletSettings } from '../../domain/participants/wallet.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** What tenants sign wallet passes with. */
export const wallets = (db: Db, keyring: Keyring) => ({
  kinds: (tenantId: string): Promise<WalletKind[]> =>
    db.values`select kind from wallets where tenant_id = ${tenantId} order by kind` as Promise<WalletKind[]>,

  async find<Kind extends WalletKind>(tenantId: string, kind: Kind): Promise<WalletSettings[Kind] | undefined> {
    const row = await db.first<{ content: Buffer }>`
      select content from wallets where tenant_id = ${tenantId} and kind = ${kind}`
    return row && (JSON.parse(keyring.open(row.content, walletContext({ tenantId, kind }))) as WalletSettings[Kind])
  },

  async put<Kind extends WalletKind>(tenantId: string, kind: Kind, settings: WalletSettings[Kind], at: Date) {
    const content = keyring.seal(JSON.stringify(settings), walletContext({ tenantId, kind }))
    await db`
      insert into wallets (tenant_id, kind, content, set_at) values (${tenantId}, ${kind}, ${content}, ${at})
      on conflict (tenant_id, kind) do update set content = excluded.content, set_at = excluded.set_at`
  },

  /** False if there was nothing to remove. */
  async remove(tenantId: string, kind: WalletKind): Promise<boolean> {
    return (await db.count`delete from wallets where tenant_id = ${tenantId} and kind = ${kind}`) > 0
  },
})

export const walletContext = ({ tenantId, kind }: { tenantId: string; kind: string }) => `wallet ${tenantId} ${kind}`
