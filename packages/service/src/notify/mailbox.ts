import { makeId } from '../domain/ids.ts'
import type { Store } from '../store/store.ts'
import type { Transport } from './transports.ts'

/** Keeps messages where a newcomer can read them, in place of a server that would send them. */
export const mailboxOf = (store: Store, channel: 'email' | 'mobile', random: (bytes: number) => Buffer): Transport => ({
  async send({ id, to, cc, letter: { language, subject, text, html, short } }, leaving) {
    const at = new Date()
    await leaving()
    const words = channel === 'email' ? { cc, subject, text, html } : { text: short }
    const content = { channel, language, to, ...words }
    await store.mailbox.put({ id: makeId('mbx', at, random), notificationId: id, at, content })
    return { outcome: 'accepted', detail: 'Kept in the mailbox of the sandbox.' }
  },
  close: () => {},
})
