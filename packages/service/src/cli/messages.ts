import { mailboxOf } from '../notify/mailbox.ts'
import { Postman } from '../notify/postman.ts'
import { emailBy, textsBy, type Transport } from '../notify/transports.ts'
import type { Chance } from '../operations/chance.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'

/** Who carries messages: the servers that are set, and in a sandbox its mailbox where none is. */
export function startPost(config: Config, store: Store, { bytes }: Chance): { postman: Postman; close: () => void } {
  const { smtpUrl, smsUrl, mode } = config
  const publicUrl = (config.publicUrl ?? `http://${config.host}:${config.port}`).replace(/\/+$/, '')
  const isKept = mode === 'sandbox'
  const email = smtpUrl ? emailBy(smtpUrl, new URL(publicUrl).hostname) : isKept && mailboxOf(store, 'email', bytes)
  const mobile = smsUrl ? textsBy(smsUrl) : isKept && mailboxOf(store, 'mobile', bytes)
  const transports = { ...(email && { email }), ...(mobile && { mobile }) }
  return {
    postman: new Postman({ store, transports, publicUrl, random: bytes }),
    close: () => Object.values(transports as Record<string, Transport>).forEach((transport) => transport.close()),
  }
}
