import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { BATCH, inBatches, renewed, scanFor, type Valued } from '../sealing/pass.ts'
import { mailboxContext } from './mailbox.ts'
import { notificationAttemptContext } from './notifications.ts'

type NotificationAttempt = {
  tenantId: string
  notificationId: string
  number: number
  answer: Buffer | null
  detail: string | null
}

export const renewNotificationAttempts = (db: Db, keyring: Keyring) =>
  inBatches<NotificationAttempt>({
    atOnce: BATCH,
    placeOf: ({ tenantId, notificationId, number }) => [tenantId, notificationId, String(number)],
    read: ([tenant = '', message = '', number = '0'], onlyPlain) =>
      db<NotificationAttempt[]>`${scanFor({
        columns: sql`tenant_id, notification_id, number, answer, detail`,
        table: sql`notification_attempts`,
        key: sql`tenant_id, notification_id, number`,
        place: sql`${tenant}, ${message}, ${number}::int`,
        holds: sql`(answer is not null or detail is not null)`,
        indexed: onlyPlain ? sql`detail is not null` : undefined,
        atOnce: BATCH,
      })}`,
    renew(row) {
      const { tenantId, notificationId, number, answer, detail } = row
      const context = notificationAttemptContext(row)
      const sealed = answer ? renewed(keyring, answer, context) : keyring.seal(detail!, context)
      if (!sealed) return 0
      return db.count`
      update notification_attempts set answer = ${sealed}, detail = null
      where tenant_id = ${tenantId} and notification_id = ${notificationId} and number = ${number}
        and answer is not distinct from ${answer}::bytea`
    },
  })

export const renewMailbox = (db: Db, keyring: Keyring) =>
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
