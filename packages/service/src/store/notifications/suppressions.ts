import type { SUPPRESSION_REASONS } from '@order-testing/contract'
import { normaliseAddress } from '../../domain/notifications/addresses.ts'
import type { Channel } from '../../domain/notifications/plan.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number]

export interface SuppressionRow {
  tenantId: string
  id: string
  channel: Channel
  reason: SuppressionReason
  notificationId: string | null
  address: string
  createdAt: Date
}

type SuppressionFilter = PageRequest &
  Filter<'channel', Channel> &
  Filter<'reason', SuppressionReason> &
  Filter<'address'>

/** Where an address counts. */
export interface AddressPlace {
  tenantId: string
  channel: Channel
}

const COLUMNS = sql`tenant_id, id, channel, reason, notification_id, content, created_at`

/** Addresses of a tenant that must not be written to. */
export const suppressions = (db: Db, keyring: Keyring) => ({
  /** Adds an address; false if it was suppressed already. */
  async add(row: SuppressionRow): Promise<boolean> {
    const { tenantId, id, channel, reason, notificationId, createdAt } = row
    if (await this.has(row, row.address)) return false
    const content = keyring.seal(row.address, suppressionContext(row))
    const count = await db.count`
      insert into suppressions (tenant_id, id, channel, address_key, reason, notification_id, content, created_at)
      values (${tenantId}, ${id}, ${channel}, ${hashAddress(keyring, row, row.address)}, ${reason}, ${notificationId},
        ${content}, ${createdAt})
      on conflict do nothing`
    return count > 0
  },

  has: async ({ tenantId, channel }: AddressPlace, address: string): Promise<boolean> => {
    const keys = addressHashes(keyring, { tenantId, channel }, address)
    const found = await db.first<{ id: string }>`
      select id from suppressions
      where tenant_id = ${tenantId} and channel = ${channel} and address_key = any(${keys}::bigint[])`
    return found !== undefined
  },

  /** Lifts the suppression of an address, unless for another reason; the row if there was one. */
  async lift(
    { tenantId, channel }: AddressPlace,
    address: string,
    reason: SuppressionReason,
  ): Promise<{ id: string } | undefined> {
    const keys = addressHashes(keyring, { tenantId, channel }, address)
    return db.first<{ id: string }>`
      delete from suppressions
      where tenant_id = ${tenantId} and channel = ${channel} and address_key = any(${keys}::bigint[]) and reason = ${reason}
      returning id`
  },

  async page(
    tenantId: string,
    { address, channel, reason, ...page }: SuppressionFilter,
  ): Promise<Page<SuppressionRow>> {
    const { rows, total } = await pageOf<SealedRow>(db, page, {
      from: sql`
        from suppressions where tenant_id = ${tenantId} ${andEqual({ channel, reason })}
          ${address === undefined ? sql`` : sql`and address_key = any(${this.keysOf(tenantId, address)}::bigint[])`}`,
      order: sql`id desc`,
      pick: COLUMNS,
    })
    return { total, rows: rows.map((row) => open(keyring, row)) }
  },

  async remove(tenantId: string, id: string): Promise<SuppressionRow | undefined> {
    const row = await db.first<SealedRow>`
      delete from suppressions where tenant_id = ${tenantId} and id = ${id} returning ${COLUMNS}`
    return row && open(keyring, row)
  },

  /** The hashes of an address in both channels. */
  keysOf: (tenantId: string, address: string): string[] =>
    (['email', 'mobile'] as const).flatMap((channel) => addressHashes(keyring, { tenantId, channel }, address)),
})

type SealedRow = Omit<SuppressionRow, 'address'> & { content: Buffer }

const open = (keyring: Keyring, { content, ...row }: SealedRow): SuppressionRow => ({
  ...row,
  address: keyring.open(content, suppressionContext(row)),
})

export const suppressionContext = ({ tenantId, id }: { tenantId: string; id: string }) =>
  `suppression ${tenantId} ${id}`

/** Under the current key. */
export const hashAddress = (keyring: Keyring, place: AddressPlace, address: string): string =>
  keyring.hash(addressText(place, address)).toString()

/** Under every key, to find rows that were hashed with an older one. */
export const addressHashes = (keyring: Keyring, place: AddressPlace, address: string): string[] =>
  keyring.hashes(addressText(place, address)).map(String)

const addressText = ({ tenantId, channel }: AddressPlace, address: string) =>
  `${tenantId} ${channel} address ${normaliseAddress(channel, address) ?? address}`
