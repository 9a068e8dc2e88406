import type { Order } from '../domain/orders/order.ts'
import { countPlainDetails, dropOldDetails, renewAuditDetails } from './audit/resealing.ts'
import type { Db } from './db/db.ts'
import { renewMailbox, renewNotificationAttempts } from './notifications/resealing.ts'
import { renewOrders, renewResponses } from './orders/resealing.ts'
import { renewDocuments, renewRefusedMessages, renewResults } from './results/resealing.ts'
import type { Keyring } from './sealing/keyring.ts'
import type { RenewBatch } from './sealing/pass.ts'
import { renewAttempts, renewCallbacks, renewDeliveries } from './webhooks/resealing.ts'

/** The kinds of sealed rows, in the order in which they are resealed. */
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
 * Reseals rows that are in plain text, or are sealed or hashed with an older key, in batches and without locking them. A row that
 * was written meanwhile is under the current key already, and is left as it is.
 */
export const resealing = (db: Db, keyring: Keyring) => ({
  /** `blockingKeysOf` computes the blocking keys of an order. */
  tables: (blockingKeysOf: (order: Order) => string[]): Record<Sealed, RenewBatch> => ({
    orders: renewOrders(db, keyring, blockingKeysOf),
    callbacks: renewCallbacks(db, keyring),
    deliveries: renewDeliveries(db, keyring),
    attempts: renewAttempts(db, keyring),
    answers: renewResponses(db, keyring),
    results: renewResults(db, keyring),
    refusedMessages: renewRefusedMessages(db, keyring),
    documents: renewDocuments(db, keyring),
    messages: renewNotificationAttempts(db, keyring),
    mailbox: renewMailbox(db, keyring),
    auditDetails: renewAuditDetails(db, keyring),
  }),

  dropOldDetails: () => dropOldDetails(db, keyring),

  countPlainDetails: () => countPlainDetails(db),
})
