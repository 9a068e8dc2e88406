import type { Scope, Sender } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'

/** An active token, as authentication needs it. */
export interface UsableToken extends Omit<Caller, 'catalogVersion'> {
  expiresAt: Date | null
}

/** A token as operators see it. */
export interface TokenRow {
  tenantId: string
  id: string
  name: string
  scopes: Scope[]
  companyIds: string[]
  rateLimit: number | null
  senders: Sender[] | null
  origin: 'catalog' | 'issued'
  hasSecret: boolean
  isActive: boolean
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  createdAt: Date
}

export interface NewToken extends Pick<TokenRow, 'tenantId' | 'id' | 'name' | 'rateLimit' | 'expiresAt'> {
  scopes: readonly Scope[]
  companyIds: readonly string[]
  secretHash: Buffer
  senders?: readonly Sender[] | null | undefined
}

export type EditedToken = Omit<NewToken, 'secretHash'>

const COLUMNS = sql`
  tenant_id, id, name, scopes, company_ids, rate_limit, senders, origin, secret_hash is not null as has_secret,
  is_active, expires_at, revoked_at, last_used_at, created_at`

export const tokens = (db: Db) => ({
  /** Finds the token of a secret unless it is revoked or inactive. The caller checks the expiry, because it caches the result. */
  async findUsable(secretHash: Buffer): Promise<UsableToken | undefined> {
    type Row = Omit<UsableToken, 'scopes'> & { scopes: Scope[] }
    const row = await db.only<Row | { tokenId: null }>`
      select t.tenant_id, t.id as token_id, t.scopes, t.rate_limit, t.senders, t.expires_at,
        array(select c.id from companies c where c.tenant_id = t.tenant_id and (
          -- Operators see all companies of their tenant, inactive ones too.
          exists (select from unnest(t.scopes) as scope where scope like 'operator.%' or scope like 'intake.%')
          or (c.id = any(t.company_ids) and c.is_active))) as company_ids
      from (select) always
      left join tokens t on t.secret_hash = ${secretHash} and t.is_active and t.revoked_at is null`
    return row.tokenId === null ? undefined : { ...row, scopes: new Set(row.scopes) }
  },

  /** Finds the token of a secret, whether it is still usable or not. */
  findOwner: (secretHash: Buffer) => db.first<{ tenantId: string; tokenId: string }>`
      select tenant_id, id as token_id from tokens where secret_hash = ${secretHash}`,

  list: (tenantId: string | undefined) => db<TokenRow[]>`
    select ${COLUMNS} from tokens ${tenantId === undefined ? sql`` : sql`where tenant_id = ${tenantId}`} order by tenant_id, id`,

  page: (tenantId: string, page: PageRequest): Promise<Page<TokenRow>> =>
    pageOf<TokenRow>(db, page, {
      from: sql`from tokens where tenant_id = ${tenantId}`,
      order: sql`id`,
      pick: COLUMNS,
    }),

  find: (tenantId: string, id: string) =>
    db.first<TokenRow>`select ${COLUMNS} from tokens where tenant_id = ${tenantId} and id = ${id}`,

  /** Returns false if the id is taken. */
  async create(token: NewToken): Promise<boolean> {
    const count = await db.count`
      insert into tokens (tenant_id, id, name, scopes, company_ids, secret_hash, rate_limit, expires_at, senders, origin)
      values (${token.tenantId}, ${token.id}, ${token.name}, ${[...token.scopes]}, ${[...token.companyIds]},
        ${token.secretHash}, ${token.rateLimit}, ${token.expiresAt},
        ${token.senders ? JSON.stringify(token.senders) : null}::text::jsonb, 'issued')
      on conflict (tenant_id, id) do nothing`
    return count > 0
  },

  /** Changes what a token may do; it must be locked. */
  async edit({ tenantId, id, name, scopes, companyIds, rateLimit, expiresAt, senders }: EditedToken): Promise<void> {
    await db`
      update tokens set name = ${name}, scopes = ${[...scopes]}, company_ids = ${[...companyIds]}, rate_limit = ${rateLimit},
        expires_at = ${expiresAt}, senders = ${senders ? JSON.stringify(senders) : null}::text::jsonb
      where tenant_id = ${tenantId} and id = ${id}`
  },

  /** Returns false if the token has a secret already, is inactive or revoked. */
  async setFirstSecret(tenantId: string, id: string, secretHash: Buffer): Promise<boolean> {
    const count = await db.count`
      update tokens set secret_hash = ${secretHash}
      where tenant_id = ${tenantId} and id = ${id} and secret_hash is null and is_active and revoked_at is null`
    return count > 0
  },

  /** Locks the token, so that two revocations cannot both find it active. */
  lock: (tenantId: string, id: string) => db.first<{ isRevoked: boolean }>`
      select revoked_at is not null as is_revoked from tokens where tenant_id = ${tenantId} and id = ${id} for update`,

  /** Revokes a token that this transaction has locked; also sets `endsCallbacks` on one that was revoked earlier. */
  async revoke(tenantId: string, id: string, { endsCallbacks }: { endsCallbacks: boolean }): Promise<void> {
    await db`
      update tokens set revoked_at = coalesce(revoked_at, now()), ends_callbacks = ends_callbacks or ${endsCallbacks}
      where tenant_id = ${tenantId} and id = ${id}`
  },

  /**
   * Records the latest use of each token. Rows are locked in a fixed order to avoid deadlocks, and locked rows are skipped:
   * no request waits for this.
   */
  async recordUse(uses: { tenantId: string; tokenId: string; at: Date }[]): Promise<void> {
    await db`
      with used as (
        select tenant_id, token_id as id, max(at) as at
        from ${givenRows(uses, { text: ['tenantId', 'tokenId'], timestamptz: ['at'] })}
        group by 1, 2
      ), locked as (
        select t.tenant_id, t.id, u.at from tokens t join used u on t.tenant_id = u.tenant_id and t.id = u.id
        order by t.tenant_id, t.id for update of t skip locked
      )
      update tokens t set last_used_at = greatest(t.last_used_at, l.at)
      from locked l where t.tenant_id = l.tenant_id and t.id = l.id`
  },
})
