import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** A notification as its recipient would have received it. */
export interface MailboxContent {
  channel: 'email' | 'mobile'
  /** Absent in older rows. */
  language?: string
  to: string
  cc?: string[]
  /** Whether this is a copy, which has no link. */
  isCopy?: boolean
  /** The name beside the sender's address. */
  sender?: string | undefined
  subject?: string
  text: string
  html?: string
  /** In Base64. */
  attachments?: { filename: string; contentType: string; content: string; cid?: string }[]
}

export interface MailboxRow {
  id: string
  notificationId: string
  at: Date
  content: MailboxContent
}

export const mailboxContext = (id: string) => `mailbox ${id}`

/** What a sandbox without mail or text server would have sent. */
export const mailbox = (db: Db, keyring: Keyring) => ({
  async put({ id, notificationId, at, content }: MailboxRow): Promise<void> {
    await db`
      insert into mailbox (id, notification_id, at, content)
      values (${id}, ${notificationId}, ${at}, ${keyring.seal(JSON.stringify(content), mailboxContext(id))})`
  },

  /** Deletes a batch of entries older than a month; true if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from mailbox where id in (select id from mailbox where at < now() - interval '30 days' limit 500)`
    return count === 500
  },

  /** Newest first; of one tenant or of all. */
  async page(request: PageRequest, tenantId: string | null = null): Promise<Page<MailboxRow>> {
    const ofTenant = sql`where exists (select from notifications m where m.tenant_id = ${tenantId} and m.id = b.notification_id)`
    const { rows, total } = await pageOf<Omit<MailboxRow, 'content'> & { content: Buffer }>(db, request, {
      from: sql`from mailbox b ${tenantId === null ? sql`` : ofTenant}`,
      order: sql`b.id desc`,
      pick: sql`b.id, b.notification_id, b.at, b.content`,
    })
    const open = (id: string, content: Buffer) =>
      JSON.parse(keyring.open(content, mailboxContext(id))) as MailboxContent
    return { total, rows: rows.map((row) => ({ ...row, content: open(row.id, row.content) })) }
  },
})
