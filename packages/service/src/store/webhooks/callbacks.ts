import type { CALLBACK_END_REASONS } from '@order-testing/contract/operator'
import { CLOSED_WITHOUT_RESULT } from '../../domain/orders/statuses.ts'
import { describeCallback, openCallback, type CallbackDescription, type SealedCallback } from './callback-sealing.ts'
import type { Db } from '../db/db.ts'
import { COUNTED, pageOf, type BoundedPage, type PageRequest } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export type CallbackVersion = 'v1' | 'v2'

export type EndReason = (typeof CALLBACK_END_REASONS)[number]

export interface CallbackRow extends CallbackDescription {
  tenantId: string
  id: string
  orderId: string
  version: CallbackVersion
  origin: string
  showsParticipant: boolean
  /** The token that created it, and the one that last changed it. */
  registeredBy: string | null
  changedBy: string | null
  createdAt: Date
  changedAt: Date | null
  endedAt: Date | null
  endReason: EndReason | null
}

/** A registration before its address is decrypted. */
type SealedRow = Omit<CallbackRow, keyof CallbackDescription> & { url: string | null; secrets: Buffer }

export interface CallbackFilter {
  id?: string | undefined
  /** The token that owns them. */
  tokenId?: string | undefined
  orderId?: string | undefined
  origin?: string | undefined
}

/** The token that owns the registration `c`: the one that last set it. */
export const OWNER = sql`coalesce(c.changed_by, c.registered_by)`

/**
 * Whether events of `c` include the participant: its token `t` had the scope at registration and still has it. The token
 * is checked because a create in progress when the scope is removed still records the old permission. Revocation, expiry
 * and removal from a catalog file leave a token's scopes unchanged.
 */
export const SHOWS_PARTICIPANT = sql`c.shows_participant and coalesce('order.participant.read' = any(t.scopes), true)`

/** Live registrations are counted up to here. */
export const LIVE_COUNTED = 1_000

const WITH_TOKEN = sql`callbacks c left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}`

/** Covers callbacks registered by a create that was in progress when its token was revoked. */
const HAS_ENDED = sql`(c.ended_at is not null or coalesce(t.ends_callbacks, false))`

const COLUMNS = sql`
  c.tenant_id, c.id, c.order_id, c.version, c.url, c.secrets, c.origin, ${SHOWS_PARTICIPANT} as shows_participant,
  c.registered_by, c.changed_by, c.created_at, c.changed_at,
  coalesce(c.ended_at, case when t.ends_callbacks then t.revoked_at end) as ended_at,
  coalesce(c.end_reason, case when t.ends_callbacks then 'tokenRevoked' end) as end_reason`

/** Registrations of callbacks, for operators. */
export const callbacks = (db: Db, keyring: Keyring) => ({
  async page(
    tenantId: string,
    {
      isActive,
      version,
      ...filter
    }: CallbackFilter & {
      isActive?: boolean | undefined
      version?: CallbackVersion | undefined
    },
    page: PageRequest,
  ): Promise<BoundedPage<CallbackRow>> {
    const { rows, ...found } = await pageOf<SealedRow>(db, page, {
      from: sql`
        from ${WITH_TOKEN} where c.tenant_id = ${tenantId} ${matchFilter(filter)}
        ${version === undefined ? sql`` : sql`and c.version = ${version}`}
        ${isActive === undefined ? sql`` : sql`and ${HAS_ENDED} <> ${isActive}`}`,
      order: sql`c.id desc`,
      pick: COLUMNS,
      counted: COUNTED,
    })
    return { ...found, rows: rows.map((row) => openRow(keyring, row)) }
  },

  /** The registrations of an order, oldest first. */
  async ofOrder(tenantId: string, orderId: string): Promise<CallbackRow[]> {
    const rows = await db<SealedRow[]>`
      select ${COLUMNS} from ${WITH_TOKEN} where c.tenant_id = ${tenantId} and c.order_id = ${orderId} order by c.id`
    return rows.map((row) => openRow(keyring, row))
  },

  async find(tenantId: string, id: string): Promise<CallbackRow | undefined> {
    const [row] = await db<SealedRow[]>`
      select ${COLUMNS} from ${WITH_TOKEN} where c.tenant_id = ${tenantId} and c.id = ${id}`
    return row && openRow(keyring, row)
  },

  async countActive(tenantId: string, orderId: string): Promise<number> {
    const { active } = await db.only<{ active: number }>`
      select count(*)::int as active from ${WITH_TOKEN}
      where c.tenant_id = ${tenantId} and c.order_id = ${orderId} and not ${HAS_ENDED}`
    return active
  },

  async activeUrls(tenantId: string, orderId: string): Promise<string[]> {
    const rows = await db<SealedCallback[]>`
      select c.tenant_id, c.order_id, c.id, c.url, c.secrets from ${WITH_TOKEN}
      where c.tenant_id = ${tenantId} and c.order_id = ${orderId} and not ${HAS_ENDED}`
    return rows.map((row) => openCallback(keyring, row).url)
  },

  /**
   * Counts a token's live registrations, up to `LIVE_COUNTED`: not ended, and their order can still change or has
   * deliveries in progress.
   */
  async countLive(tenantId: string, tokenId: string): Promise<number> {
    const [row] = await db<{ live: number }[]>`
      select count(*)::int as live from (
        select from callbacks c join orders o on o.tenant_id = c.tenant_id and o.id = c.order_id
        where c.tenant_id = ${tenantId} and ${OWNER} = ${tokenId} and c.ended_at is null
          and (o.status <> all(${CLOSED_WITHOUT_RESULT}) or exists (
            select from deliveries d where d.tenant_id = c.tenant_id and d.order_id = c.order_id and d.callback_id = c.id
              and d.state in ('waiting', 'held')))
        limit ${LIVE_COUNTED}) found`
    return row!.live
  },

  /**
   * Ends at most `most` registrations, newest first, stops their deliveries and returns their ids. An attempt in flight is
   * not interrupted, but it is the last.
   */
  async end(
    tenantId: string,
    filter: CallbackFilter,
    { reason, most }: { reason: EndReason; most: number },
  ): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      with picked as materialized (
        select c.tenant_id, c.id from callbacks c
        where c.tenant_id = ${tenantId} and c.ended_at is null ${matchFilter(filter)}
        order by c.id desc limit ${most} for update),
      ended as (
        update callbacks c set ended_at = now(), end_reason = ${reason} from picked
        where c.tenant_id = picked.tenant_id and c.id = picked.id returning c.tenant_id, c.id, c.order_id),
      stopped as (
        update deliveries d set state = 'failed', reason = 'registrationEnded', ended_at = now(),
          claim_id = null, claimed_until = null
        from ended e
        where d.tenant_id = e.tenant_id and d.order_id = e.order_id and d.callback_id = e.id
          and d.state in ('waiting', 'held') and (d.claimed_until is null or d.claimed_until <= now()))
      select id from ended order by id desc`
    return rows.map(({ id }) => id)
  },

  /** Removes the participant from future events of these tokens, even if they get the scope back. */
  async withdrawParticipant(tenantId: string, tokenIds: string[]): Promise<void> {
    if (tokenIds.length === 0) return
    await db`
      update callbacks c set shows_participant = false
      where c.tenant_id = ${tenantId} and ${OWNER} = any(${tokenIds}) and c.shows_participant`
  },
})

function openRow(keyring: Keyring, { url, secrets, ...row }: SealedRow): CallbackRow {
  const { tenantId, orderId, id, origin } = row
  return { ...row, ...describeCallback(keyring, { tenantId, orderId, id, url, secrets, origin }) }
}

const matchFilter = ({ id, tokenId, orderId, origin }: CallbackFilter): Statement => sql`
  ${id === undefined ? sql`` : sql`and c.id = ${id}`}
  ${tokenId === undefined ? sql`` : sql`and ${OWNER} = ${tokenId}`}
  ${orderId === undefined ? sql`` : sql`and c.order_id = ${orderId}`}
  ${origin === undefined ? sql`` : sql`and c.origin = ${origin}`}`
