import { makeId } from '../domain/ids.ts'
import type { Store } from '../store/store.ts'
import type { Transport } from './transports.ts'

/** Keeps notifications in the sandbox's mailbox instead of sending them. */
export const mailboxTransport = (
  store: Store,
  channel: 'email' | 'mobile',
  random: (bytes: number) => Buffer,
): Transport => ({
  async send({ id, to, cc, content: { language, subject, text, html, short } }, beforeSend) {
    const at = new Date()
    await beforeSend()
    const body = channel === 'email' ? { cc, subject, text, html } : { text: short }
    const content = { channel, language, to, ...body }
    await store.mailbox.put({ id: makeId('mbx', at, random), notificationId: id, at, content })
    return { outcome: 'accepted', detail: 'Kept in the sandbox mailbox.' }
  },
  close: () => {},
})
