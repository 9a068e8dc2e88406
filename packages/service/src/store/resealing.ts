import type { Order } from '../domain/orders.ts'
import { countPlainDetails, dropOldDetails, renewAuditDetails } from './audit-resealing.ts'
import { openCallback, sealCallback, type SealedCallback } from './callback-sealing.ts'
import type { Db } from './db/db.ts'
import { sql, type Statement } from './db/sql.ts'
import { renewAttempts, renewDeliveries } from './delivery-resealing.ts'
import { answerContext } from './idempotency.ts'
import type { Keyring } from './keyring.ts'
import { mailboxContext } from './mailbox.ts'
import { messageAttemptContext } from './messages.ts'
import {
  isStale,
  matchKeysOf,
  openOrder,
  openReady,
  sealOrder,
  specimenKeysOf,
  type ReadyOrder,
  type WholeOrder,
} from './order-rows.ts'
import { refusedContext } from './refused-messages.ts'
import { documentContext, documentNameContext, resultContext, sealResult, type ResultContent } from './results.ts'
import {
  inBatches,
  placeOf,
  renewed,
  rowsHolding,
  type Key,
  type Place,
  type RenewBatch,
  type Valued,
} from './sealing-pass.ts'

/** Small enough that opening and sealing them takes some milliseconds. */
const BATCH = 100

/** Rows by tenant and id, behind a place. `plain` is a condition that an index answers. */
const behind = ([tenant = '', id = '']: Place, atOnce: number, plain?: Statement) => sql`
  where (tenant_id, id) > (${tenant}, ${id}) ${plain ? sql`and ${plain}` : sql``}
  order by tenant_id, id limit ${atOnce}`

/** What holds something sealed, in the order in which it is renewed. */
export const SEALED = [
  'orders',
  'callbacks',
  'deliveries',
  'attempts',
  'answers',
  'results',
  'refusedMessages',
  'documents',
  'messages',
  'mailbox',
  'auditDetails',
] as const
export type Sealed = (typeof SEALED)[number]

/**
 * Brings what is not sealed, or is sealed or hashed with an older key, under the current one: some rows at a time and without
 * locking them. A row that somebody else has written meanwhile is under the current key already, and is left as it is.
 */
export const resealing = (db: Db, keyring: Keyring) => ({
  /** `blockingKeysOf` gives what an order is found by. */
  tables: (blockingKeysOf: (order: Order) => string[]): Record<Sealed, RenewBatch> => ({
    orders: renewOrders(db, keyring, blockingKeysOf),
    callbacks: renewCallbacks(db, keyring),
    deliveries: renewDeliveries(db, keyring),
    attempts: renewAttempts(db, keyring),
    answers: renewAnswers(db, keyring),
    results: renewResults(db, keyring),
    refusedMessages: renewRefusedMessages(db, keyring),
    documents: renewDocuments(db, keyring),
    messages: renewMessageAttempts(db, keyring),
    mailbox: renewMailbox(db, keyring),
    auditDetails: renewAuditDetails(db, keyring),
  }),

  dropOldDetails: () => dropOldDetails(db, keyring),

  countPlainDetails: () => countPlainDetails(db),
})

type OrderRow = ReadyOrder & WholeOrder & { tenantId: string; matchKeys: string[]; specimenKeys: string[] }

const renewOrders = (db: Db, keyring: Keyring, blockingKeysOf: (order: Order) => string[]) =>
  inBatches<OrderRow>({
    atOnce: BATCH,
    placeOf,
    read: (place, onlyPlain) => db<OrderRow[]>`
    select tenant_id, id, sealed_answer, sealed_content, head, participant, identifiers, content,
      match_keys::text[] as match_keys, specimen_keys::text[] as specimen_keys
    from orders ${behind(place, BATCH, onlyPlain ? sql`head is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, sealedContent, content } = row
      const order = openOrder(keyring, tenantId, row)
      const matchKeys = matchKeysOf(keyring, tenantId, blockingKeysOf(order))
      const specimenKeys = specimenKeysOf(keyring, tenantId, order)
      const isHashed = matchKeys.join() === row.matchKeys.join() && specimenKeys.join() === row.specimenKeys.join()
      if (isHashed && !isStale(keyring, row)) return 0
      const { head, participant } = openReady(keyring, tenantId, row)
      const sealed = sealOrder(keyring, tenantId, order, { head, participant })
      return db.count`
      update orders set sealed_answer = ${sealed.sealedAnswer},
        sealed_content = ${sealed.sealedContent}, match_keys = ${matchKeys}::bigint[], specimen_keys = ${specimenKeys}::bigint[],
        head = null, participant = null, identifiers = null, content = null, specimen_ids = '{}'
      where tenant_id = ${tenantId} and id = ${id} and sealed_content is not distinct from ${sealedContent}::bytea
        and content is not distinct from ${content === null ? null : JSON.stringify(content)}::jsonb`
    },
  })

const renewCallbacks = (db: Db, keyring: Keyring) =>
  inBatches<SealedCallback>({
    atOnce: BATCH,
    placeOf,
    read: (place, onlyPlain) => db<SealedCallback[]>`
    select tenant_id, id, order_id, url, secrets from callbacks
    ${behind(place, BATCH, onlyPlain ? sql`url is not null` : undefined)}`,
    renew(row) {
      const { tenantId, orderId, id, url, secrets } = row
      if (url === null && !keyring.isStale(secrets)) return 0
      const callback = openCallback(keyring, row)
      return db.count`
      update callbacks set url = null, secrets = ${sealCallback(keyring, { tenantId, orderId, id, callback })}
      where tenant_id = ${tenantId} and id = ${id} and secrets = ${secrets}`
    },
  })

type AnswerKey = { tenantId: string; tokenId: string; key: string }

const renewAnswers = (db: Db, keyring: Keyring) =>
  inBatches<Valued<AnswerKey>>({
    atOnce: BATCH,
    placeOf: ({ tenantId, tokenId, key }) => [tenantId, tokenId, key],
    read: async ([tenant = '', token = '', key = ''], onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<AnswerKey>[]>`
        select tenant_id, token_id, key, answer as value from idempotency_keys
        where (tenant_id, token_id, key) > (${tenant}, ${token}, ${key}) order by tenant_id, token_id, key limit ${BATCH}`,
    renew(row) {
      const { tenantId, tokenId, key, value } = row
      const sealed = renewed(keyring, value, answerContext(row, key))
      if (!sealed) return 0
      return db.count`
      update idempotency_keys set answer = ${sealed}
      where tenant_id = ${tenantId} and token_id = ${tokenId} and key = ${key} and answer = ${value}`
    },
  })

/** Few at a time: one may hold the text of a long message. */
const RESULTS = 20

type ResultValue = Valued<Key> & { contentHash: Buffer | null }

const renewResults = (db: Db, keyring: Keyring) =>
  inBatches<ResultValue>({
    atOnce: RESULTS,
    placeOf,
    read: (place, onlyPlain) => db<ResultValue[]>`
    select tenant_id, id, content as value, content_hash from result_messages
    ${behind(place, RESULTS, onlyPlain ? sql`content_hash is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, value, contentHash } = row
      if (contentHash === null && !keyring.isStale(value)) return 0
      const opened = JSON.parse(keyring.open(value, resultContext(row))) as ResultContent & { contentHash?: string }
      const { contentHash: kept, ...content } = opened
      const hash = contentHash ?? Buffer.from(kept!, 'hex')
      return db.count`
      update result_messages set content = ${sealResult(keyring, row, content, hash)},
        content_code = ${keyring.code(hash, resultContext(row))}, content_hash = null
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })

const renewRefusedMessages = (db: Db, keyring: Keyring) =>
  inBatches<Valued<Key>>({
    atOnce: BATCH,
    placeOf,
    read: async (place, onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<Key>[]>`
        select tenant_id, id, content as value from refused_messages ${behind(place, BATCH)}`,
    renew(row) {
      const { tenantId, id, value } = row
      const sealed = renewed(keyring, value, refusedContext(row))
      if (!sealed) return 0
      return db.count`
      update refused_messages set content = ${sealed}
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })

type DocumentValue = Valued<Key> & { sealedName: Buffer | null; name: string | null }

const renewDocuments = (db: Db, keyring: Keyring) =>
  inBatches<DocumentValue>({
    // Each may have megabytes.
    atOnce: 1,
    placeOf,
    read: (place, onlyPlain) => db<DocumentValue[]>`
    select tenant_id, id, content as value, sealed_name, name from documents
    ${behind(place, 1, onlyPlain ? sql`name is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, value, sealedName, name } = row
      const nameContext = documentNameContext(row)
      const content = renewed(keyring, value, documentContext(row))
      const newName = sealedName ? renewed(keyring, sealedName, nameContext) : keyring.seal(name!, nameContext)
      if (!content && !newName) return 0
      return db.count`
      update documents set content = ${content ?? value}, sealed_name = ${newName ?? sealedName}, name = null
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })

type MessageAttempt = {
  tenantId: string
  messageId: string
  number: number
  answer: Buffer | null
  detail: string | null
}

const renewMessageAttempts = (db: Db, keyring: Keyring) =>
  inBatches<MessageAttempt>({
    atOnce: BATCH,
    placeOf: ({ tenantId, messageId, number }) => [tenantId, messageId, String(number)],
    read: ([tenant = '', message = '', number = '0'], onlyPlain) =>
      db<MessageAttempt[]>`${rowsHolding({
        columns: sql`tenant_id, message_id, number, answer, detail`,
        table: sql`message_attempts`,
        key: sql`tenant_id, message_id, number`,
        place: sql`${tenant}, ${message}, ${number}::int`,
        holds: sql`(answer is not null or detail is not null)`,
        indexed: onlyPlain ? sql`detail is not null` : undefined,
        atOnce: BATCH,
      })}`,
    renew(row) {
      const { tenantId, messageId, number, answer, detail } = row
      const context = messageAttemptContext(row)
      const sealed = answer ? renewed(keyring, answer, context) : keyring.seal(detail!, context)
      if (!sealed) return 0
      return db.count`
      update message_attempts set answer = ${sealed}, detail = null
      where tenant_id = ${tenantId} and message_id = ${messageId} and number = ${number}
        and answer is not distinct from ${answer}::bytea`
    },
  })

const renewMailbox = (db: Db, keyring: Keyring) =>
  inBatches<Valued<{ id: string }>>({
    atOnce: BATCH,
    placeOf: ({ id }) => [id],
    read: async ([id = ''], onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<{ id: string }>[]>`
        select id, content as value from mailbox where id > ${id} order by id limit ${BATCH}`,
    renew({ id, value }) {
      const sealed = renewed(keyring, value, mailboxContext(id))
      if (!sealed) return 0
      return db.count`update mailbox set content = ${sealed} where id = ${id} and content = ${value}`
    },
  })
