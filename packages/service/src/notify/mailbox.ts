import { makeId } from '../domain/ids.ts'
import type { Store } from '../store/store.ts'
import type { MailboxContent } from '../store/notifications/mailbox.ts'
import type { Content } from './compose.ts'
import type { Transport } from './transports.ts'

/** Keeps notifications in the sandbox's mailbox instead of sending them. */
export const mailboxTransport = (
  store: Store,
  channel: 'email' | 'mobile',
  random: (bytes: number) => Buffer,
): Transport => ({
  async send({ id, to, content, cc, copy }, beforeSend) {
    const at = new Date()
    await beforeSend()
    const put = (kept: MailboxContent) =>
      store.mailbox.put({ id: makeId('mbx', at, random), notificationId: id, at, content: kept })
    if (channel === 'mobile') await put({ channel, language: content.language, to, text: content.short })
    else {
      await put({ ...mailOf(content), to, cc })
      if (copy) for (const address of cc) await put({ ...mailOf(copy), to: address, cc: [], isCopy: true })
    }
    return { outcome: 'accepted', detail: 'Kept in the sandbox mailbox.', copies: copy ? cc.length : 0 }
  },
  close: () => {},
})

const mailOf = ({ language, sender, subject, text, html, attachments }: Content) => ({
  channel: 'email' as const,
  language,
  sender,
  subject,
  text,
  html,
  attachments,
})
