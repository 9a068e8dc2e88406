import type { Channel } from '../../domain/notifications/plan.ts'
import { mailboxTransport } from '../../notify/mailbox.ts'
import type { NotificationMetrics } from '../../notify/metrics.ts'
import { NotificationDispatcher, type DispatcherOptions } from '../../notify/dispatcher.ts'
import { smtpTransport, smsTransport, type Transport } from '../../notify/transports.ts'
import type { PooledRandom } from '../../operations/pooled-random.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'

/** One dispatcher per channel: to the configured server, or in a sandbox without one to its mailbox. */
export function openNotifications(
  { smtpUrl, smsUrl, mode, publicUrl, mailQuota }: Config & { publicUrl: string },
  store: Store,
  { bytes }: PooledRandom,
  { metrics, log }: { metrics: NotificationMetrics; log: NonNullable<DispatcherOptions['log']> },
): { dispatchers: NotificationDispatcher[]; close: () => void } {
  const fallback = (channel: Channel) => (mode === 'sandbox' ? mailboxTransport(store, channel, bytes) : undefined)
  const transports: Record<Channel, Transport | undefined> = {
    email: smtpUrl === undefined ? fallback('email') : smtpTransport(smtpUrl, new URL(publicUrl).hostname),
    mobile: smsUrl === undefined ? fallback('mobile') : smsTransport(smsUrl),
  }
  const channels = Object.keys(transports) as Channel[]
  return {
    dispatchers: channels.map((channel) => {
      const transport = transports[channel] && metrics.countAttempts(channel, transports[channel])
      return new NotificationDispatcher({ store, channel, transport, publicUrl, random: bytes, quota: mailQuota, log })
    }),
    close: () => {
      for (const transport of Object.values(transports)) transport?.close()
    },
  }
}
