import type { Channel } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { countPlainDetails, dropOldDetails, renewAuditDetails } from './audit/resealing.ts'
import type { Db } from './db/db.ts'
import { identifiers, sql } from './db/sql.ts'
import { mailboxContext } from './notifications/mailbox.ts'
import { notificationAttemptContext } from './notifications/notifications.ts'
import { hashAddress, suppressionContext } from './notifications/suppressions.ts'
import { responseContext } from './orders/idempotency.ts'
import {
  codeIds,
  hashBlockingKeys,
  hashExternalId,
  hashRequester,
  hashSearchKeys,
  hashSpecimens,
  isStale,
  openOrder,
  openView,
  sealOrder,
  type ContentRow,
  type ViewRow,
} from './orders/rows.ts'
import { savedViewContext } from './orders/saved-views.ts'
import { agreementContext } from './participants/agreements.ts'
import { helpContext } from './participants/help-requests.ts'
import { walletContext } from './participants/wallets.ts'
import { refusedContext } from './results/refused-reports.ts'
import { tokenRequestContext } from './access/token-uses.ts'
import { requestContext } from './sandbox/requests.ts'
import { simulationContext } from './sandbox/simulations.ts'
import {
  documentContext,
  documentNameContext,
  resultContext,
  sealResult,
  type ResultContent,
} from './results/results.ts'
import { sessionContext } from './users/sessions.ts'
import { hashEmail, hashSubject, openUser, sealUser } from './users/users.ts'
import type { Keyring } from './sealing/keyring.ts'
import { renewRows, type SealedTable } from './sealing/pass.ts'
import { attemptContext, sealAttempt, type AttemptRow } from './webhooks/attempts.ts'
import { openCallback, sealCallback, type SealedCallback } from './webhooks/callback-sealing.ts'
import { deliveryContext } from './webhooks/outbox.ts'

interface Key {
  tenantId: string
  id: string
}

/**
 * Reseals rows that are in plain text, or are sealed or hashed with an older key, in batches and without locking them. A row that
 * was written meanwhile is under the current key already, and is left as it is.
 */
export const resealing = (db: Db, keyring: Keyring) => ({
  /** The kinds of sealed rows, in the order in which they are resealed. `blockingKeysOf` computes the blocking keys of an order. */
  tables: (blockingKeysOf: (order: Order) => string[]) => ({
    orders: renewOrders(db, keyring, blockingKeysOf),
    callbacks: renewCallbacks(db, keyring),
    deliveries: renewColumn<Key>(db, keyring, {
      table: 'deliveries',
      column: 'body',
      holds: sql`value is not null`,
      contextOf: deliveryContext,
    }),
    attempts: renewAttempts(db, keyring),
    answers: renewColumn<{ tenantId: string; tokenId: string; key: string }>(db, keyring, {
      table: 'idempotency_keys',
      key: ['tenantId', 'tokenId', 'key'],
      column: 'answer',
      contextOf: (row) => responseContext(row, row.key),
    }),
    results: renewResults(db, keyring),
    refusedMessages: renewColumn<Key>(db, keyring, {
      table: 'refused_reports',
      column: 'content',
      contextOf: refusedContext,
    }),
    documents: renewDocuments(db, keyring),
    messages: renewNotificationAttempts(db, keyring),
    mailbox: renewColumn<{ id: string }>(db, keyring, {
      table: 'mailbox',
      key: ['id'],
      column: 'content',
      contextOf: ({ id }) => mailboxContext(id),
    }),
    simulations: renewColumn<{ tenantId: string; orderId: string }>(db, keyring, {
      table: 'sandbox_simulations',
      key: ['tenantId', 'orderId'],
      column: 'content',
      contextOf: simulationContext,
    }),
    requests: renewColumn<Key & { tokenId: string }>(db, keyring, {
      table: 'sandbox_requests',
      key: ['tenantId', 'tokenId', 'id'],
      column: 'content',
      contextOf: requestContext,
    }),
    tokenRequests: renewColumn<Key & { tokenId: string }>(db, keyring, {
      table: 'token_requests',
      key: ['tenantId', 'tokenId', 'id'],
      column: 'content',
      contextOf: tokenRequestContext,
    }),
    helpRequests: renewColumn<Key>(db, keyring, { table: 'help_requests', column: 'content', contextOf: helpContext }),
    agreements: renewColumn<Key>(db, keyring, {
      table: 'agreements',
      column: 'signature',
      holds: sql`value is not null`,
      contextOf: agreementContext,
    }),
    savedViews: renewColumn<Key>(db, keyring, { table: 'saved_views', column: 'content', contextOf: savedViewContext }),
    suppressions: renewSuppressions(db, keyring),
    wallets: renewColumn<{ tenantId: string; kind: string }>(db, keyring, {
      table: 'wallets',
      key: ['tenantId', 'kind'],
      column: 'content',
      contextOf: walletContext,
    }),
    users: renewUsers(db, keyring),
    sessions: renewColumn<Key>(db, keyring, {
      table: 'user_sessions',
      column: 'content',
      contextOf: sessionContext,
    }),
    auditDetails: renewAuditDetails(db, keyring),
  }),

  dropOldDetails: () => dropOldDetails(db, keyring),

  countPlainDetails: () => countPlainDetails(db),
})

/** The kinds of sealed rows. */
export type Sealed = keyof ReturnType<ReturnType<typeof resealing>['tables']>

type OrderRow = ViewRow &
  ContentRow & {
    tenantId: string
    blockingKeys: string[]
    specimenKeys: string[]
    externalKey: string | null
    requesterKey: string | null
    /** Null until they are computed for an order of an earlier build. */
    searchKeys: string[] | null
    searchCodes: string[] | null
  }

const renewOrders = (db: Db, keyring: Keyring, blockingKeysOf: (order: Order) => string[]) =>
  renewRows<OrderRow>(db, {
    table: 'orders',
    columns: sql`
      sealed_answer, sealed_content, head, participant, identifiers, content, blocking_keys, specimen_keys, external_key,
      requester_key, search_keys, search_codes::text[] as search_codes`,
    plain: sql`(head is not null or search_keys is null)`,
    renew(row) {
      const { tenantId } = row
      const order = openOrder(keyring, tenantId, row)
      const blockingKeys = hashBlockingKeys(keyring, tenantId, blockingKeysOf(order))
      const specimenKeys = hashSpecimens(keyring, tenantId, order)
      const externalKey = hashExternalId(keyring, tenantId, order)
      const requesterKey = hashRequester(keyring, tenantId, order)
      const searchKeys = hashSearchKeys(keyring, tenantId, order)
      const searchCodes = codeIds(keyring, tenantId, order)
      const isHashed =
        searchKeys.join() === row.searchKeys?.join() &&
        searchCodes.join() === row.searchCodes?.join() &&
        blockingKeys.join() === row.blockingKeys.join() &&
        specimenKeys.join() === row.specimenKeys.join() &&
        externalKey === row.externalKey &&
        requesterKey === row.requesterKey
      if (isHashed && !isStale(keyring, row)) return null
      const sealedAnswer = sealOrder(keyring, tenantId, order, openView(keyring, tenantId, row))
      const noPlainText = { head: null, participant: null, identifiers: null, content: null, specimenIds: [] }
      return {
        sealedAnswer,
        sealedContent: null,
        blockingKeys,
        specimenKeys,
        externalKey,
        requesterKey,
        searchKeys,
        searchCodes,
        ...noPlainText,
      }
    },
    isUnchanged: ({ sealedAnswer, content }) => sql`
      sealed_answer is not distinct from ${sealedAnswer}::bytea
        and content is not distinct from ${content === null ? null : JSON.stringify(content)}::jsonb`,
  })

const renewCallbacks = (db: Db, keyring: Keyring) =>
  renewRows<SealedCallback>(db, {
    table: 'callbacks',
    columns: sql`order_id, url, secrets`,
    plain: sql`url is not null`,
    renew(row) {
      const { tenantId, orderId, id, url, secrets } = row
      if (url === null && !keyring.isStale(secrets)) return null
      const callback = openCallback(keyring, row)
      return { url: null, secrets: sealCallback(keyring, { tenantId, orderId, id, callback }) }
    },
    isUnchanged: ({ secrets }) => sql`secrets = ${secrets}`,
  })

type DeliveryAttempt = AttemptRow & { tenantId: string; deliveryId: string; seq: string }

const renewAttempts = (db: Db, keyring: Keyring) =>
  renewRows<DeliveryAttempt>(db, {
    table: 'delivery_attempts',
    key: ['tenantId', 'deliveryId', 'seq'],
    columns: sql`at, answer, detail, excerpt`,
    plain: sql`excerpt is not null`,
    holds: sql`(answer is not null or excerpt is not null)`,
    renew(row) {
      const { tenantId, deliveryId, at, answer, detail, excerpt } = row
      const sealed = answer
        ? reseal(keyring, answer, attemptContext(row))
        : sealAttempt(keyring, { tenantId, id: deliveryId }, { at, detail, excerpt: excerpt ?? '' })
      return sealed || excerpt !== null ? { answer: sealed, detail: null, excerpt: null } : null
    },
    isUnchanged: ({ answer }) => sql`answer is not distinct from ${answer}::bytea`,
  })

type ResultRow = Key & { content: Buffer; contentHash: Buffer | null }

const renewResults = (db: Db, keyring: Keyring) =>
  renewRows<ResultRow>(db, {
    table: 'result_reports',
    columns: sql`content, content_hash`,
    plain: sql`content_hash is not null`,
    // Each may contain the text of a long message.
    atOnce: 20,
    renew(row) {
      if (row.contentHash === null && !keyring.isStale(row.content)) return null
      const opened = JSON.parse(keyring.open(row.content, resultContext(row))) as ResultContent & {
        contentHash?: string
      }
      const { contentHash: kept, ...content } = opened
      const hash = row.contentHash ?? Buffer.from(kept!, 'hex')
      return {
        content: sealResult(keyring, row, content, hash),
        contentCode: keyring.code(hash, resultContext(row)),
        contentHash: null,
      }
    },
    isUnchanged: ({ content }) => sql`content = ${content}`,
  })

type DocumentRow = Key & { content: Buffer; sealedName: Buffer | null; name: string | null }

const renewDocuments = (db: Db, keyring: Keyring) =>
  renewRows<DocumentRow>(db, {
    table: 'documents',
    columns: sql`content, sealed_name, name`,
    plain: sql`name is not null`,
    // Each may be several megabytes.
    atOnce: 1,
    renew(row) {
      const { content, sealedName, name } = row
      const nameContext = documentNameContext(row)
      const newContent = reseal(keyring, content, documentContext(row))
      const newName = sealedName ? reseal(keyring, sealedName, nameContext) : keyring.seal(name!, nameContext)
      if (!newContent && !newName) return null
      return { content: newContent ?? content, sealedName: newName ?? sealedName, name: null }
    },
    isUnchanged: ({ content }) => sql`content = ${content}`,
  })

interface NotificationAttempt {
  tenantId: string
  notificationId: string
  number: number
  answer: Buffer | null
  detail: string | null
}

const renewNotificationAttempts = (db: Db, keyring: Keyring) =>
  renewRows<NotificationAttempt>(db, {
    table: 'notification_attempts',
    key: ['tenantId', 'notificationId', 'number'],
    columns: sql`answer, detail`,
    plain: sql`detail is not null`,
    holds: sql`(answer is not null or detail is not null)`,
    renew(row) {
      const context = notificationAttemptContext(row)
      const sealed = row.answer ? reseal(keyring, row.answer, context) : keyring.seal(row.detail!, context)
      return sealed && { answer: sealed, detail: null }
    },
    isUnchanged: ({ answer }) => sql`answer is not distinct from ${answer}::bytea`,
  })

type Suppression = Key & { channel: Channel; content: Buffer }

const renewSuppressions = (db: Db, keyring: Keyring) =>
  renewRows<Suppression>(db, {
    table: 'suppressions',
    columns: sql`channel, content`,
    renew(row) {
      const content = reseal(keyring, row.content, suppressionContext(row))
      const address = keyring.open(row.content, suppressionContext(row))
      return content && { content, addressKey: hashAddress(keyring, row, address) }
    },
    isUnchanged: ({ content }) => sql`content = ${content}`,
  })

/** The hashes are under the key that seals the rest. */
const renewUsers = (db: Db, keyring: Keyring) =>
  renewRows<Key & { content: Buffer }>(db, {
    table: 'users',
    columns: sql`content`,
    renew(row) {
      if (!keyring.isStale(row.content)) return null
      const { tenantId, id } = row
      const user = openUser(keyring, row, row.content)
      return {
        content: sealUser(keyring, { tenantId, id, ...user }),
        emailKey: hashEmail(keyring, user.email),
        oidcKey: user.oidc && hashSubject(keyring, user.oidc),
      }
    },
    isUnchanged: ({ content }) => sql`content = ${content}`,
  })

interface SealedColumn<Row> extends Pick<SealedTable, 'table' | 'key' | 'holds'> {
  column: string
  contextOf: (row: Row) => string
}

/** Reseals a column that was never stored in plain text. */
const renewColumn = <Row>(db: Db, keyring: Keyring, { column, contextOf, ...table }: SealedColumn<Row>) =>
  renewRows<Row & { value: Buffer }>(db, {
    ...table,
    columns: sql`${identifiers(column)} as value`,
    renew(row) {
      const sealed = reseal(keyring, row.value, contextOf(row))
      return sealed && { [column]: sealed }
    },
    isUnchanged: ({ value }) => sql`${identifiers(column)} = ${value}`,
  })

/** The value resealed with the current key; null if it is under that key already. */
const reseal = (keyring: Keyring, value: Buffer, context: string) =>
  keyring.isStale(value) ? keyring.seal(keyring.openBytes(value, context), context) : null
