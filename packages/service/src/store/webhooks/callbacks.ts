import type { CALLBACK_END_REASONS } from '@order-testing/contract/operator'
import { CLOSED_WITHOUT_RESULT } from '../../domain/orders/statuses.ts'
import { shownAddress } from './callback-sealing.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import type { CallbackVersion } from './outbox.ts'
import { pageOf, type BoundedPage, type PageRequest } from '../db/page.ts'

export type EndReason = (typeof CALLBACK_END_REASONS)[number]

export interface CallbackRow {
  tenantId: string
  id: string
  orderId: string
  version: CallbackVersion
  /** Its address without the query, which may hold secrets. Only the origin where it cannot be read, for want of a key. */
  target: string
  origin: string
  showsParticipant: boolean
  /** The token that made it, and the one that last changed it. */
  registeredBy: string | null
  changedBy: string | null
  createdAt: Date
  changedAt: Date | null
  endedAt: Date | null
  endReason: EndReason | null
}

/** A registration before its address is opened. */
type SealedRow = Omit<CallbackRow, 'target'> & { url: string | null; secrets: Buffer }

export interface CallbackFilter {
  id?: string | undefined
  /** The token that they belong to. */
  tokenId?: string | undefined
  orderId?: string | undefined
  origin?: string | undefined
}

/** The token that the registration `c` belongs to: the one that last set it. */
export const OWNER = sql`coalesce(c.changed_by, c.registered_by)`

/**
 * Whether `c` shows the participant: its token `t` could read it when it was registered, and has not lost the scope since.
 * The token is looked at because a create that is under way when it loses the scope still records what it could read before.
 * Revoking a token, its expiry and its removal from a catalog file leave its scopes as they are.
 */
export const SHOWS_PARTICIPANT = sql`c.shows_participant and coalesce('order.participant.read' = any(t.scopes), true)`

/** As far as pages are counted: of a tenant's callbacks there are as many as orders. */
const COUNTED = 100_000

/** Counted no further: beyond it the number tells nothing new. */
export const LIVE_COUNTED = 1_000

const WITH_TOKEN = sql`callbacks c left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}`

/** A create that was under way when its token was revoked may have registered what was to end. */
const HAS_ENDED = sql`(c.ended_at is not null or coalesce(t.ends_callbacks, false))`

const SHOWN = sql`
  c.tenant_id, c.id, c.order_id, c.version, c.url, c.secrets, c.origin, ${SHOWS_PARTICIPANT} as shows_participant,
  c.registered_by, c.changed_by, c.created_at, c.changed_at,
  coalesce(c.ended_at, case when t.ends_callbacks then t.revoked_at end) as ended_at,
  coalesce(c.end_reason, case when t.ends_callbacks then 'tokenRevoked' end) as end_reason`

/** Registrations of callbacks as operators see and end them. */
export const callbacks = (db: Db, keyring: Keyring) => ({
  async page(
    tenantId: string,
    { isActive, ...filter }: CallbackFilter & { isActive?: boolean | undefined },
    page: PageRequest,
  ): Promise<BoundedPage<CallbackRow>> {
    const { rows, ...found } = await pageOf<SealedRow>(db, page, {
      from: sql`
        from ${WITH_TOKEN} where c.tenant_id = ${tenantId} ${matching(filter)}
        ${isActive === undefined ? sql`` : sql`and ${HAS_ENDED} <> ${isActive}`}`,
      order: sql`c.id desc`,
      pick: SHOWN,
      counted: COUNTED,
    })
    return { ...found, rows: rows.map((row) => opened(keyring, row)) }
  },

  async find(tenantId: string, id: string): Promise<CallbackRow | undefined> {
    const [row] = await db<SealedRow[]>`
      select ${SHOWN} from ${WITH_TOKEN} where c.tenant_id = ${tenantId} and c.id = ${id}`
    return row && opened(keyring, row)
  },

  /**
   * How many registrations of a token are live, up to `LIVE_COUNTED`: they have not ended, and their order can still change
   * or has deliveries on their way.
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
   * Ends registrations, newest first and at most so many, and stops their deliveries. An attempt that is under way is not
   * interrupted, but is the last. Gives the ids of what was ended.
   */
  async end(
    tenantId: string,
    filter: CallbackFilter,
    { reason, most }: { reason: EndReason; most: number },
  ): Promise<string[]> {
    const rows = await db<{ id: string }[]>`
      with picked as materialized (
        select c.tenant_id, c.id from callbacks c
        where c.tenant_id = ${tenantId} and c.ended_at is null ${matching(filter)}
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

  /** Takes the participant out of what is sent for these tokens from now on, also should they get the scope back. */
  async withdrawParticipant(tenantId: string, tokenIds: string[]): Promise<void> {
    if (tokenIds.length === 0) return
    await db`
      update callbacks c set shows_participant = false
      where c.tenant_id = ${tenantId} and ${OWNER} = any(${tokenIds}) and c.shows_participant`
  },
})

function opened(keyring: Keyring, { url, secrets, ...row }: SealedRow): CallbackRow {
  const { tenantId, orderId, id, origin } = row
  return { ...row, target: shownAddress(keyring, { tenantId, orderId, id, url, secrets, origin }) }
}

const matching = ({ id, tokenId, orderId, origin }: CallbackFilter): Statement => sql`
  ${id === undefined ? sql`` : sql`and c.id = ${id}`}
  ${tokenId === undefined ? sql`` : sql`and ${OWNER} = ${tokenId}`}
  ${orderId === undefined ? sql`` : sql`and c.order_id = ${orderId}`}
  ${origin === undefined ? sql`` : sql`and c.origin = ${origin}`}`
