import type { Channel } from '../../domain/notifications/plan.ts'
import { mailboxOf } from '../../notify/mailbox.ts'
import type { MessageMetrics } from '../../notify/metrics.ts'
import { Postman, type PostmanOptions } from '../../notify/postman.ts'
import { emailBy, textsBy, type Transport } from '../../notify/transports.ts'
import type { PooledRandom } from '../../operations/pooled-random.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'

/** Who carries messages, one for each channel: the servers that are set, and in a sandbox its mailbox where none is. */
export function openPost(
  { smtpUrl, smsUrl, mode, publicUrl, mailQuota }: Config & { publicUrl: string },
  store: Store,
  { bytes }: PooledRandom,
  { metrics, log }: { metrics: MessageMetrics; log: NonNullable<PostmanOptions['log']> },
): { postmen: Postman[]; close: () => void } {
  const kept = (channel: Channel) => (mode === 'sandbox' ? mailboxOf(store, channel, bytes) : undefined)
  const transports: Record<Channel, Transport | undefined> = {
    email: smtpUrl === undefined ? kept('email') : emailBy(smtpUrl, new URL(publicUrl).hostname),
    mobile: smsUrl === undefined ? kept('mobile') : textsBy(smsUrl),
  }
  const channels = Object.keys(transports) as Channel[]
  return {
    postmen: channels.map((channel) => {
      const transport = transports[channel] && metrics.counting(channel, transports[channel])
      return new Postman({ store, channel, transport, publicUrl, random: bytes, quota: mailQuota, log })
    }),
    close: () => {
      for (const transport of Object.values(transports)) transport?.close()
    },
  }
}
