import type { CatalogTexts } from '@order-testing/contract'
import type { AgreementKind } from '../../domain/participants/draft.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** The name as it was typed, and the local date. */
export interface Signature {
  name: string
  date: string
}

export interface AgreementRow {
  tenantId: string
  id: string
  orderId: string
  kind: AgreementKind
  version: string
  language: string
  textHash: string
  text: string
  agreedAt: Date
  signature: Signature | null
}

/** What participants were shown and agreed to. Must run in the transaction that completes the order. */
export const agreements = (db: Db, keyring: Keyring) => ({
  /** The texts that the tenant's catalog has in place of the built-in ones. */
  async textsOf(tenantId: string): Promise<CatalogTexts> {
    const row = await db.first<{ texts: CatalogTexts | null }>`
      select record -> 'texts' as texts from tenants where id = ${tenantId}`
    return row?.texts ?? {}
  },

  async add(added: AgreementRow[]): Promise<void> {
    for (const row of added) {
      const sealed = row.signature && keyring.seal(JSON.stringify(row.signature), agreementContext(row))
      await db`
        insert into agreement_texts (tenant_id, hash, text) values (${row.tenantId}, ${row.textHash}, ${row.text})
        on conflict do nothing`
      await db`
        insert into agreements (tenant_id, id, order_id, kind, version, language, text_hash, agreed_at, signature)
        values (${row.tenantId}, ${row.id}, ${row.orderId}, ${row.kind}, ${row.version}, ${row.language}, ${row.textHash},
          ${row.agreedAt}, ${sealed})`
    }
  },

  /** Oldest first. */
  async ofOrder(tenantId: string, orderId: string): Promise<AgreementRow[]> {
    const rows = await db<(Omit<AgreementRow, 'signature'> & { signature: Buffer | null })[]>`
      select ${COLUMNS} from agreements a join agreement_texts t on t.tenant_id = a.tenant_id and t.hash = a.text_hash
      where a.tenant_id = ${tenantId} and a.order_id = ${orderId} order by a.agreed_at, a.id`
    return rows.map(({ signature, ...row }) => ({
      ...row,
      signature: signature && (JSON.parse(keyring.open(signature, agreementContext(row))) as Signature),
    }))
  },

  /** The tenants that offer background checks without both texts of their own. */
  tenantsWithoutTexts: () => db.values`
    select t.id from tenants t
    where not (coalesce(t.record -> 'texts', '{}') ?& array['backgroundDisclosure', 'backgroundAuthorization'])
      and exists (
        select from packages p join services s on s.tenant_id = p.tenant_id and s.id = any(p.service_ids)
        where p.tenant_id = t.id and p.is_active and s.is_active and s.record ->> 'category' = 'background')
    order by t.id`,
})

const COLUMNS = sql`
  a.tenant_id, a.id, a.order_id, a.kind, a.version, a.language, a.text_hash, t.text, a.agreed_at, a.signature`

export const agreementContext = ({ tenantId, id }: { tenantId: string; id: string }) => `agreement ${tenantId} ${id}`
