import type { EmbeddedServer } from '@order-testing/embedded-postgres'
import { printableAddress } from '../../store/db/address.ts'
import { version } from '../version.ts'
import { runningPlace } from './database-place.ts'
import type { PublicToken } from './demo-catalog.ts'
import type { Config } from './settings.ts'

/** Printed when a sandbox is up: its addresses, and requests that work. */
export function banner(
  config: Config,
  { port, tokens, embedded }: { port: number; tokens: PublicToken[]; embedded: EmbeddedServer | undefined },
): string {
  const origin = `http://${reachableHost(config.host)}:${port}`
  return `
Order Testing Service ${version} (sandbox)

  Console     http://localhost:${port}/console
  API         ${origin}/api/v2
${config.docs ? `  Docs        ${origin}/docs\n` : ''}  Mailbox     ${origin}/sandbox/mailbox
  Health      ${origin}/readyz   ${origin}/metrics${config.mllpPort === undefined ? '' : `\n  HL7         MLLP on ${reachableHost(config.mllpHost)}:${config.mllpPort}`}
  Database    ${config.databaseUrl ? printableAddress(config.databaseUrl) : `embedded, ${runningPlace(config, embedded)}`}
${tokensText(origin, tokens)}
Press Ctrl-C to stop.`
}

/** Printed by a sandbox's worker, which may run without a port. */
export function workerBanner({ host }: Config, port: number | undefined): string {
  const health = port === undefined ? 'not served' : `http://${reachableHost(host)}:${port}/readyz`
  return `
Order Testing Service ${version} (sandbox), worker: sends events and notifications, expires orders

  Health      ${health}

Press Ctrl-C to stop.`
}

function tokensText(origin: string, tokens: PublicToken[]): string {
  const secretOf = (name: string) => tokens.find(({ id }) => id === name)?.secret
  const token = tokenText('Demo token, with every scope', secretOf('demo'), `${origin}/api/v2/companies?limit=2`)
  const operator = tokenText('Operator token', secretOf('demo-operator'), `${origin}/api/operator/v1/orders`)
  return token + operator || NO_TOKENS
}

const tokenText = (name: string, token: string | undefined, url: string) =>
  token === undefined
    ? ''
    : `
  ${name}:

    ${token}

  Try it:

    curl -H 'Authorization: Bearer ${token}' '${url}'
`

const NO_TOKENS = `
  Create a token:   npx ots token create --help
`

/** A host to connect to: a service that listens on all addresses is called as localhost. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
