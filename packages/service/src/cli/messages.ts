import type { Channel } from '../domain/messages.ts'
import { mailboxOf } from '../notify/mailbox.ts'
import { Postman } from '../notify/postman.ts'
import { emailBy, textsBy, type Transport } from '../notify/transports.ts'
import type { Chance } from '../operations/chance.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { reachable } from './banner.ts'

/** Who carries messages, one for each channel: the servers that are set, and in a sandbox its mailbox where none is. */
export function openPost(config: Config, store: Store, { bytes }: Chance): { postmen: Postman[]; close: () => void } {
  const { smtpUrl, smsUrl } = config
  const publicUrl = (config.publicUrl ?? `http://${reachable(config.host)}:${config.port}`).replace(/\/+$/, '')
  const kept = (channel: Channel) => (config.mode === 'sandbox' ? mailboxOf(store, channel, bytes) : undefined)
  const transports: Record<Channel, Transport | undefined> = {
    email: smtpUrl === undefined ? kept('email') : emailBy(smtpUrl, new URL(publicUrl).hostname),
    mobile: smsUrl === undefined ? kept('mobile') : textsBy(smsUrl),
  }
  const channels = Object.keys(transports) as Channel[]
  return {
    postmen: channels.map(
      (channel) => new Postman({ store, channel, transport: transports[channel], publicUrl, random: bytes }),
    ),
    close: () => {
      for (const transport of Object.values(transports)) transport?.close()
    },
  }
}
