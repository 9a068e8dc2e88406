import type { Db } from '../db/db.ts'
import { pageOf, type Page } from '../db/page.ts'
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
  async page(
    { limit, ...filter }: { limit: number; order?: string; address?: string },
    tenantId: string | null = null,
  ): Promise<Page<MailboxRow & { order: string | null }>> {
    // Addresses are sealed, so they are compared here.
    const isSearch = (filter.address ?? '') !== ''
    const { rows, total } = await pageOf<SealedMail>(
      db,
      { limit: isSearch ? MOST_SEARCHED : limit, page: 1 },
      {
        from: sql`
          from mailbox b
          left join notifications m on m.id = b.notification_id
          left join orders o on o.tenant_id = m.tenant_id and o.id = m.order_id
          where true ${tenantId === null ? sql`` : sql`and m.tenant_id = ${tenantId}`}
            ${filter.order ? sql`and o.code = ${filter.order.toUpperCase()}` : sql``}`,
        order: sql`b.id desc`,
        pick: sql`b.id, b.notification_id, b.at, b.content, o.code as "order"`,
      },
    )
    const opened = rows.map((row) => open(keyring, row))
    if (!isSearch) return { total, rows: opened }
    const found = opened.filter(({ content }) => hasAddress(content, filter.address!))
    return { total: found.length, rows: found.slice(0, limit) }
  },

  async read(id: string, tenantId: string | null): Promise<MailboxRow | undefined> {
    const row = await db.first<Omit<SealedMail, 'order'>>`
      select id, notification_id, at, content from mailbox b
      where id = ${id} and (${tenantId}::text is null or exists (
        select from notifications m where m.tenant_id = ${tenantId} and m.id = b.notification_id))`
    return row && open(keyring, row)
  },
})

/** An address is looked for among this many of the newest messages. */
const MOST_SEARCHED = 500

type SealedMail = Omit<MailboxRow, 'content'> & { content: Buffer; order: string | null }

const open = <Row extends { id: string; content: Buffer }>(keyring: Keyring, row: Row) => ({
  ...row,
  content: JSON.parse(keyring.open(row.content, mailboxContext(row.id))) as MailboxContent,
})

/** Whether a message went to an address, which may be given in part. Of phone numbers, the digits count. */
function hasAddress({ to, cc = [] }: MailboxContent, wanted: string): boolean {
  const text = wanted.trim().toLowerCase()
  const digits = /^[\d\s()+.-]+$/.test(text) ? text.replaceAll(/\D/g, '') : ''
  return [to, ...cc].some(
    (address) =>
      address.toLowerCase().includes(text) || (digits !== '' && address.replaceAll(/\D/g, '').includes(digits)),
  )
}
