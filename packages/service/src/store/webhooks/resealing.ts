import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { attemptContext, sealAttempt, type AttemptRow } from './attempts.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { deliveryContext } from './outbox.ts'
import { openCallback, sealCallback, type SealedCallback } from './callback-sealing.ts'
import { BATCH, behind, inBatches, placeOf, renewed, scanFor, type Key, type Valued } from '../sealing/pass.ts'

export const renewCallbacks = (db: Db, keyring: Keyring) =>
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

export const renewDeliveries = (db: Db, keyring: Keyring) =>
  inBatches<Valued<Key>>({
    atOnce: BATCH,
    placeOf,
    read: async ([tenant = '', id = ''], onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<Key>[]>`${scanFor({
            columns: sql`tenant_id, id, body as value`,
            table: sql`deliveries`,
            key: sql`tenant_id, id`,
            place: sql`${tenant}, ${id}`,
            holds: sql`value is not null`,
            atOnce: BATCH,
          })}`,
    renew({ tenantId, id, value }) {
      const sealed = renewed(keyring, value, deliveryContext({ tenantId, id }))
      if (!sealed) return 0
      return db.count`
      update deliveries set body = ${sealed} where tenant_id = ${tenantId} and id = ${id} and body = ${value}`
    },
  })

type DeliveryAttempt = AttemptRow & { tenantId: string; deliveryId: string; seq: string }

export const renewAttempts = (db: Db, keyring: Keyring) =>
  inBatches<DeliveryAttempt>({
    atOnce: BATCH,
    placeOf: ({ tenantId, deliveryId, seq }) => [tenantId, deliveryId, seq],
    read: ([tenant = '', delivery = '', seq = '0'], onlyPlain) =>
      db<DeliveryAttempt[]>`${scanFor({
        columns: sql`tenant_id, delivery_id, seq, at, answer, detail, excerpt`,
        table: sql`delivery_attempts`,
        key: sql`tenant_id, delivery_id, seq`,
        place: sql`${tenant}, ${delivery}, ${seq}::bigint`,
        holds: sql`(answer is not null or excerpt is not null)`,
        indexed: onlyPlain ? sql`excerpt is not null` : undefined,
        atOnce: BATCH,
      })}`,
    renew(row) {
      const { tenantId, deliveryId, seq, at, answer, detail, excerpt } = row
      const sealed = answer
        ? renewed(keyring, answer, attemptContext(row))
        : sealAttempt(keyring, { tenantId, id: deliveryId }, { at, detail, excerpt: excerpt ?? '' })
      if (!sealed && excerpt === null) return 0
      return db.count`
      update delivery_attempts set answer = ${sealed}, detail = null, excerpt = null
      where tenant_id = ${tenantId} and delivery_id = ${deliveryId} and seq = ${seq}
        and answer is not distinct from ${answer}::bytea`
    },
  })
