import type { Db } from './database.ts'
import type { Keyring } from './keyring.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

/** A message as somebody would have received it. */
export interface KeptLetter {
  channel: 'email' | 'mobile'
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

const contextOf = (id: string) => `mailbox ${id}`

/** What a sandbox without a mail server would have sent. */
export const mailbox = (db: Db, keyring: Keyring) => ({
  async put({ id, messageId, at, content }: MailboxRow): Promise<void> {
    await db`
      insert into mailbox (id, message_id, at, content)
      values (${id}, ${messageId}, ${at}, ${keyring.seal(JSON.stringify(content), contextOf(id))})`
  },

  async page(request: PageRequest): Promise<Page<MailboxRow>> {
    const { rows, total } = await pageOf<Omit<MailboxRow, 'content'> & { content: Buffer }>(db, request, {
      from: db`from mailbox`,
      order: db`id desc`,
      pick: db`id, message_id, at, content`,
    })
    return {
      total,
      rows: rows.map((row) => ({
        ...row,
        content: JSON.parse(keyring.open(row.content, contextOf(row.id))) as KeptLetter,
      })),
    }
  },
})
