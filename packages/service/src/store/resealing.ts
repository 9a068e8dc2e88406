import type { Order } from '../domain/orders.ts'
import type { Db } from './db/pool.ts'
import { answerContext } from './idempotency.ts'
import type { Keyring } from './keyring.ts'
import { fromContent, matchKeysOf, openIdentifiers, sealIdentifiers, type StoredOrder } from './order-rows.ts'
import { mailboxContext } from './mailbox.ts'
import { callbackContext, deliveryContext } from './outbox.ts'
import { refusedContext } from './refused-messages.ts'
import { documentContext, resultContext } from './results.ts'

const BATCH = 500
const FEW = 20

/** Where in a table a pass has come to: the key of the last row it has seen. */
export type Place = readonly string[]

export interface Batch {
  renewed: number
  /** Where to go on; absent when all rows were seen. */
  next: Place | undefined
}

/**
 * Brings what is sealed or hashed under older keys under the current one, some rows at a time and without locking them:
 * a row that somebody else has written meanwhile is under the current key already, and is left as it is.
 */
export const resealing = (db: Db, keyring: Keyring) => {
  const renewEach = async <Row extends { value: Buffer }>(
    rows: readonly Row[],
    { context, write, place }: Renewal<Row>,
  ): Promise<Batch> => {
    const stale = rows.filter(({ value }) => keyring.isStale(value))
    const written = await Promise.all(
      stale.map((row) => write(row, keyring.seal(keyring.openBytes(row.value, context(row)), context(row)))),
    )
    return batchOf(rows, written, place)
  }

  return {
    /** `wordsOf` tells what an order is found by. */
    async orders([tenant = '', last = '']: Place, wordsOf: (order: Order) => string[]): Promise<Batch> {
      const rows = await db<OrderRow[]>`
        select tenant_id, id, content, identifiers, match_keys::text[] as match_keys from orders
        where (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit ${BATCH}`
      const written = await Promise.all(
        rows.flatMap((row) => {
          const order = fromContent(row.content, openIdentifiers(keyring, row.tenantId, row))
          const keys = matchKeysOf(keyring, row.tenantId, wordsOf(order))
          const isStale = row.identifiers !== null && keyring.isStale(row.identifiers)
          if (!isStale && keys.join() === row.matchKeys.join()) return []
          const sealed = isStale ? sealIdentifiers(keyring, row.tenantId, order) : row.identifiers
          return db.count`
            update orders set identifiers = ${sealed}, match_keys = ${keys}::bigint[]
            where tenant_id = ${row.tenantId} and id = ${row.id}
              and identifiers is not distinct from ${row.identifiers} and match_keys = ${row.matchKeys}::bigint[]`
        }),
      )
      return batchOf(rows, written, ({ tenantId, id }) => [tenantId, id])
    },

    async callbacks([tenant = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; id: string; orderId: string; url: string; value: Buffer }[]>`
        select tenant_id, id, order_id, url, secrets as value from callbacks
        where (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit ${BATCH}`
      return renewEach(rows, {
        context: callbackContext,
        write: ({ tenantId, id, value }, sealed) => db.count`
          update callbacks set secrets = ${sealed}
          where tenant_id = ${tenantId} and id = ${id} and secrets = ${value}`,
        place: ({ tenantId, id }) => [tenantId, id],
      })
    },

    async deliveries([tenant = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; id: string; value: Buffer }[]>`
        select tenant_id, id, body as value from deliveries
        where body is not null and (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit ${BATCH}`
      return renewEach(rows, {
        context: deliveryContext,
        write: ({ tenantId, id, value }, sealed) => db.count`
          update deliveries set body = ${sealed} where tenant_id = ${tenantId} and id = ${id} and body = ${value}`,
        place: ({ tenantId, id }) => [tenantId, id],
      })
    },

    /** Few at a time: one may hold the text of a long message. */
    async results([tenant = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; id: string; value: Buffer }[]>`
        select tenant_id, id, content as value from result_messages
        where (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit ${FEW}`
      const { renewed } = await renewEach(rows, {
        context: resultContext,
        write: ({ tenantId, id, value }, sealed) => db.count`
          update result_messages set content = ${sealed}
          where tenant_id = ${tenantId} and id = ${id} and content = ${value}`,
        place: ({ tenantId, id }) => [tenantId, id],
      })
      const end = rows.at(-1)
      return { renewed, next: end && [end.tenantId, end.id] }
    },

    async refusedMessages([tenant = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; id: string; value: Buffer }[]>`
        select tenant_id, id, content as value from refused_messages
        where (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit ${BATCH}`
      return renewEach(rows, {
        context: refusedContext,
        write: ({ tenantId, id, value }, sealed) => db.count`
          update refused_messages set content = ${sealed}
          where tenant_id = ${tenantId} and id = ${id} and content = ${value}`,
        place: ({ tenantId, id }) => [tenantId, id],
      })
    },

    /** One at a time: each may have megabytes. */
    async documents([tenant = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; id: string; value: Buffer }[]>`
        select tenant_id, id, content as value from documents
        where (tenant_id, id) > (${tenant}, ${last}) order by tenant_id, id limit 1`
      const { renewed } = await renewEach(rows, {
        context: documentContext,
        write: ({ tenantId, id, value }, sealed) => db.count`
          update documents set content = ${sealed} where tenant_id = ${tenantId} and id = ${id} and content = ${value}`,
        place: ({ tenantId, id }) => [tenantId, id],
      })
      return { renewed, next: rows[0] && [rows[0].tenantId, rows[0].id] }
    },

    async mailbox([last = '']: Place): Promise<Batch> {
      const rows = await db<{ id: string; value: Buffer }[]>`
        select id, content as value from mailbox where id > ${last} order by id limit ${BATCH}`
      return renewEach(rows, {
        context: ({ id }) => mailboxContext(id),
        write: ({ id, value }, sealed) =>
          db.count`update mailbox set content = ${sealed} where id = ${id} and content = ${value}`,
        place: ({ id }) => [id],
      })
    },

    async answers([tenant = '', token = '', last = '']: Place): Promise<Batch> {
      const rows = await db<{ tenantId: string; tokenId: string; key: string; value: Buffer }[]>`
        select tenant_id, token_id, key, answer as value from idempotency_keys
        where (tenant_id, token_id, key) > (${tenant}, ${token}, ${last})
        order by tenant_id, token_id, key limit ${BATCH}`
      return renewEach(rows, {
        context: (row) => answerContext(row, row.key),
        write: ({ tenantId, tokenId, key, value }, sealed) => db.count`
          update idempotency_keys set answer = ${sealed}
          where tenant_id = ${tenantId} and token_id = ${tokenId} and key = ${key} and answer = ${value}`,
        place: ({ tenantId, tokenId, key }) => [tenantId, tokenId, key],
      })
    },
  }
}

interface OrderRow {
  tenantId: string
  id: string
  content: StoredOrder
  identifiers: Buffer | null
  matchKeys: string[]
}

interface Renewal<Row> {
  context: (row: Row) => string
  write: (row: Row, sealed: Buffer) => Promise<number>
  place: (row: Row) => Place
}

function batchOf<Row>(rows: readonly Row[], written: number[], place: (row: Row) => Place): Batch {
  const last = rows.at(-1)
  const renewed = written.reduce((sum, count) => sum + count, 0)
  return { renewed, next: last && rows.length === BATCH ? place(last) : undefined }
}
