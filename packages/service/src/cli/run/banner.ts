import type { EmbeddedServer } from '@order-testing/embedded-postgres'
import type { Config } from './settings.ts'
import { runningPlace } from './database-place.ts'
import { version } from '../version.ts'

export interface DemoTokens {
  /** Of an integrator. */
  token: string | undefined
  operator: string | undefined
}

/** What a person sees once the sandbox is up: where things are, and requests that work. */
export function banner({
  config,
  port,
  tokens,
  embedded,
}: {
  config: Config
  port: number
  tokens: DemoTokens
  embedded: EmbeddedServer | undefined
}): string {
  const origin = `http://${reachable(config.host)}:${port}`
  return `
Order Testing Service ${version} (sandbox)

  API         ${origin}/api/v2
  Reference   ${origin}/docs   ${origin}/operator/docs
  Mailbox     ${origin}/sandbox/mailbox
  Health      ${origin}/readyz   ${origin}/metrics${config.mllpPort === undefined ? '' : `\n  HL7         MLLP on ${reachable(config.mllpHost)}:${config.mllpPort}`}
  Database    ${config.databaseUrl ? 'DATABASE_URL' : `embedded, ${runningPlace(config, embedded)}`}
${withTokens(origin, tokens)}
Press Ctrl-C to stop.`
}

/** The same for a process that only works: without a port it has nothing to show but that it runs. */
export function workerBanner({ config, port }: { config: Config; port: number | undefined }): string {
  const health = port === undefined ? 'not served' : `http://${reachable(config.host)}:${port}/readyz`
  return `
Order Testing Service ${version} (sandbox), worker: sends events and messages, lets orders expire

  Health      ${health}

Press Ctrl-C to stop.`
}

const withTokens = (origin: string, { token, operator }: DemoTokens) => {
  if (token === undefined && operator === undefined) return withoutToken
  return [
    token !== undefined && tried('Demo token, with every scope', token, `${origin}/api/v2/companies?limit=2`),
    operator !== undefined && tried('The operator’s', operator, `${origin}/api/operator/v1/orders`),
  ]
    .filter((part) => part !== false)
    .join('')
}

const tried = (name: string, token: string, url: string) => `
  ${name}:

    ${token}

  Try it:

    curl -H 'Authorization: Bearer ${token}' '${url}'
`

const withoutToken = `
  Make a token:   npm run ots -- token create --help
`

/** An address that stands for all of the machine's is no address to call. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
