import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { BATCH, behind, inBatches, placeOf, renewed, type Valued } from '../sealing/pass.ts'
import { responseContext } from './idempotency.ts'
import {
  hashBlockingKeys,
  hashSpecimens,
  isStale,
  openOrder,
  openView,
  sealOrder,
  type ContentRow,
  type ViewRow,
} from './rows.ts'

type OrderRow = ViewRow & ContentRow & { tenantId: string; blockingKeys: string[]; specimenKeys: string[] }

export const renewOrders = (db: Db, keyring: Keyring, blockingKeysOf: (order: Order) => string[]) =>
  inBatches<OrderRow>({
    atOnce: BATCH,
    placeOf,
    read: (place, onlyPlain) => db<OrderRow[]>`
    select tenant_id, id, sealed_answer, sealed_content, head, participant, identifiers, content,
      blocking_keys::text[] as blocking_keys, specimen_keys::text[] as specimen_keys
    from orders ${behind(place, BATCH, onlyPlain ? sql`head is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, sealedContent, content } = row
      const order = openOrder(keyring, tenantId, row)
      const blockingKeys = hashBlockingKeys(keyring, tenantId, blockingKeysOf(order))
      const specimenKeys = hashSpecimens(keyring, tenantId, order)
      const isHashed =
        blockingKeys.join() === row.blockingKeys.join() && specimenKeys.join() === row.specimenKeys.join()
      if (isHashed && !isStale(keyring, row)) return 0
      const sealed = sealOrder(keyring, tenantId, order, openView(keyring, tenantId, row))
      return db.count`
      update orders set sealed_answer = ${sealed.sealedAnswer},
        sealed_content = ${sealed.sealedContent}, blocking_keys = ${blockingKeys}::bigint[], specimen_keys = ${specimenKeys}::bigint[],
        head = null, participant = null, identifiers = null, content = null, specimen_ids = '{}'
      where tenant_id = ${tenantId} and id = ${id} and sealed_content is not distinct from ${sealedContent}::bytea
        and content is not distinct from ${content === null ? null : JSON.stringify(content)}::jsonb`
    },
  })

type ResponseKey = { tenantId: string; tokenId: string; key: string }

export const renewResponses = (db: Db, keyring: Keyring) =>
  inBatches<Valued<ResponseKey>>({
    atOnce: BATCH,
    placeOf: ({ tenantId, tokenId, key }) => [tenantId, tokenId, key],
    read: async ([tenant = '', token = '', key = ''], onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<ResponseKey>[]>`
        select tenant_id, token_id, key, answer as value from idempotency_keys
        where (tenant_id, token_id, key) > (${tenant}, ${token}, ${key}) order by tenant_id, token_id, key limit ${BATCH}`,
    renew(row) {
      const { tenantId, tokenId, key, value } = row
      const sealed = renewed(keyring, value, responseContext(row, key))
      if (!sealed) return 0
      return db.count`
      update idempotency_keys set answer = ${sealed}
      where tenant_id = ${tenantId} and token_id = ${tokenId} and key = ${key} and answer = ${value}`
    },
  })
