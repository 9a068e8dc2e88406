import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

/** A message as somebody would have received it. */
export interface KeptLetter {
  channel: 'email' | 'mobile'
  /** Absent in letters of before. */
  language?: string
  to: string
  cc?: string[]
  subject?: string
  text: string
  html?: string
}

export interface MailboxRow {
  id: string
  messageId: string
  at: Date
  content: KeptLetter
}

export const mailboxContext = (id: string) => `mailbox ${id}`

/** What a sandbox without a mail server would have sent. */
export const mailbox = (db: Db, keyring: Keyring) => ({
  async put({ id, messageId, at, content }: MailboxRow): Promise<void> {
    await db`
      insert into mailbox (id, message_id, at, content)
      values (${id}, ${messageId}, ${at}, ${keyring.seal(JSON.stringify(content), mailboxContext(id))})`
  },

  /** Forgets some of what nobody has looked for in a month; tells whether there may be more. */
  async forgetOld(): Promise<boolean> {
    const rows = await db`
      delete from mailbox where id in (select id from mailbox where at < now() - interval '30 days' limit 500) returning id`
    return rows.length === 500
  },

  async page(request: PageRequest): Promise<Page<MailboxRow>> {
    const { rows, total } = await pageOf<Omit<MailboxRow, 'content'> & { content: Buffer }>(db, request, {
      from: sql`from mailbox`,
      order: sql`id desc`,
      pick: sql`id, message_id, at, content`,
    })
    return {
      total,
      rows: rows.map((row) => ({
        ...row,
        content: JSON.parse(keyring.open(row.content, mailboxContext(row.id))) as KeptLetter,
      })),
    }
  },
})
