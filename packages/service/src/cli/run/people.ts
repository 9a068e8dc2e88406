import type { Logger } from 'pino'
import { makeId } from '../../domain/ids.ts'
import type { ServerOptions } from '../../http/server.ts'
import { invitationMailer } from '../../notify/invitation.ts'
import { mailboxTransport } from '../../notify/mailbox.ts'
import { smtpTransport, type Transport } from '../../notify/transports.ts'
import { PooledRandom } from '../../operations/pooled-random.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'

type PeopleOptions = Pick<ServerOptions, 'publicUrl' | 'sessionLimits' | 'oidc' | 'sendInvitation'>

/** How people sign in and are invited, and what to close at the end. */
export function openPeople(
  config: Config,
  { store, logger }: { store: Store; logger: Logger },
): { options: PeopleOptions; close: () => void } {
  const random = new PooledRandom()
  const transport = openTransport(config, store, random)
  const onFailure = (detail: string) => logger.warn({ detail }, 'Failed to send an invitation')
  const mailId = () => makeId('msg', new Date(), random.bytes)
  return {
    options: {
      publicUrl: config.publicUrl,
      sessionLimits: { lifetime: config.sessionLifetime, idle: config.sessionIdle },
      oidc: oidcOf(config),
      sendInvitation: transport && invitationMailer(transport, { makeId: mailId, onFailure }),
    },
    close: () => transport?.close(),
  }
}

/** The mail server, or in a sandbox without one its mailbox. */
function openTransport(config: Config, store: Store, random: PooledRandom): Transport | undefined {
  const { outbound, smtpUrl, publicUrl, mode } = config
  if (!outbound) return undefined
  if (smtpUrl !== undefined)
    return smtpTransport(smtpUrl, publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname)
  return mode === 'sandbox' ? mailboxTransport(store, 'email', random.bytes) : undefined
}

const oidcOf = ({ oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName }: Config) =>
  issuer === undefined ? undefined : { issuer, clientId: clientId!, clientSecret: clientSecret!, name: oidcName }
