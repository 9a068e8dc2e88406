import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { jaroWinkler } from '../../domain/matching/jaro-winkler.ts'
import { isLoopback } from '../../domain/webhooks/address-ranges.ts'
import { printableAddress } from '../../store/db/address.ts'
import {
  databaseAddress,
  duration,
  durations,
  flag,
  keys,
  list,
  mailAddress,
  networks,
  oneOf,
  publicAddress,
  replicaAddress,
  secrets,
  text,
  webAddress,
  whole,
  type Value,
} from './setting-values.ts'

/** A setting is invalid; the message says how to correct it. */
export class ConfigRefusal extends Error {}

interface Options<T> {
  /** How the value is printed if it is set. */
  print?: (value: NonNullable<T>) => unknown
  /** A secret is never printed, and may also come from a file. */
  isSecret?: boolean
}

const optional = <T extends z.ZodType>(
  name: string,
  { schema, form }: Value<T>,
  options: Options<z.output<T>> = {},
) => ({
  name,
  schema: schema.optional(),
  form,
  ...options,
})

const defaulted = <T extends z.ZodType>(
  name: string,
  { schema, form }: Value<T>,
  initial: string,
  options: Options<z.output<T>> = {},
) => ({ name, schema: schema.prefault(initial as z.input<T>), form, ...options })

const word = (yes: string, no: string) => ({ print: (is: unknown) => (is === true ? yes : no) })

const inSeconds = { print: (time: unknown) => `${String(time)}s` }

/** Every setting, in the order in which they are printed. */
const SETTINGS = {
  port: defaulted('PORT', whole(0, 65_535), '3000'),
  host: defaulted('HOST', text, '127.0.0.1'),
  adminPort: optional('OTS_ADMIN_PORT', whole(0, 65_535)),
  databaseUrl: optional('DATABASE_URL', databaseAddress, { print: printableAddress, isSecret: true }),
  databasePool: defaulted('OTS_DATABASE_POOL', whole(3, 1_000), '10'),
  databaseReadUrl: optional('OTS_DATABASE_READ_URL', replicaAddress, { print: printableAddress, isSecret: true }),
  databaseReadLag: defaulted('OTS_DATABASE_READ_LAG', duration('1s'), '5s', inSeconds),
  databasePrepare: defaulted('OTS_DATABASE_PREPARE', oneOf('auto', 'on', 'off'), 'auto'),
  statementTimeout: defaulted('OTS_STATEMENT_TIMEOUT', duration('100ms'), '8s', inSeconds),
  dataDir: defaulted('OTS_DATA_DIR', { ...text, schema: text.schema.transform((path) => resolve(path)) }, './data'),
  mode: defaulted('OTS_MODE', oneOf('sandbox', 'production'), 'sandbox'),
  sandboxPublic: defaulted('OTS_SANDBOX_PUBLIC', flag('yes', 'no'), 'no', word('yes', 'no')),
  role: defaulted('OTS_ROLE', oneOf('all', 'api', 'worker'), 'all'),
  migrate: defaulted('OTS_MIGRATE', oneOf('auto', 'off'), 'auto'),
  catalogs: defaulted('OTS_CATALOG', list, '', { print: (paths) => paths.join(',') }),
  keys: defaulted('OTS_KEYS', keys, '', {
    print: ({ length }) => (length > 0 ? `(${length} set)` : '(created in the data folder)'),
    isSecret: true,
  }),
  callbackAllow: optional('OTS_CALLBACK_ALLOW', networks, { print: (ranges) => ranges.join(',') || 'none' }),
  outbound: defaulted('OTS_OUTBOUND', flag('on', 'off'), 'on', word('on', 'off')),
  retrySchedule: defaulted('OTS_RETRY_SCHEDULE', durations, '0s,5s,30s,2m,5m,10m,15m,25m,2h,5h,10h,14h,20h,24h', {
    print: (waits) => waits.map((wait) => `${wait}s`).join(','),
  }),
  requestTimeout: defaulted('OTS_REQUEST_TIMEOUT', duration('100ms'), '10s', inSeconds),
  drain: optional('OTS_DRAIN', duration('0s'), inSeconds),
  trustProxy: optional('OTS_TRUST_PROXY', networks, { print: (ranges) => ranges.join(',') || 'none' }),
  rateLimit: defaulted('OTS_RATE_LIMIT', whole(0, 1_000_000_000), '1200'),
  mailQuota: defaulted('OTS_MAIL_QUOTA', whole(0, 1_000_000_000), '1000'),
  mllpPort: optional('OTS_MLLP_PORT', whole(0, 65_535)),
  mllpTokens: optional('OTS_MLLP_TOKEN', secrets, {
    print: ({ length }) => (length > 1 ? `(${length} set)` : '(set)'),
    isSecret: true,
  }),
  mllpHost: defaulted('OTS_MLLP_HOST', text, '127.0.0.1'),
  mllpTlsCert: optional('OTS_MLLP_TLS_CERT', text),
  mllpTlsKey: optional('OTS_MLLP_TLS_KEY', text),
  mllpTlsCa: optional('OTS_MLLP_TLS_CA', text),
  smtpUrl: optional('OTS_SMTP_URL', mailAddress, { print: originOf, isSecret: true }),
  smsUrl: optional('OTS_SMS_URL', webAddress, { print: originOf, isSecret: true }),
  publicUrl: optional('OTS_PUBLIC_URL', publicAddress),
  sessionLifetime: defaulted('OTS_SESSION_LIFETIME', duration('1m'), '12h', inSeconds),
  sessionIdle: defaulted('OTS_SESSION_IDLE', duration('1m'), '30m', inSeconds),
  oidcIssuer: optional('OTS_OIDC_ISSUER', webAddress),
  oidcClientId: optional('OTS_OIDC_CLIENT_ID', text),
  oidcClientSecret: optional('OTS_OIDC_CLIENT_SECRET', text, { print: () => '(set)', isSecret: true }),
  oidcName: defaulted('OTS_OIDC_NAME', text, 'Single sign-on'),
  docs: defaulted('OTS_DOCS', flag('on', 'off'), 'on', word('on', 'off')),
  logLevel: optional('OTS_LOG_LEVEL', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
}

type Member = keyof typeof SETTINGS

interface Setting {
  name: string
  form: string
  isSecret?: boolean
  print?: (value: unknown) => Printed
}

const MEMBERS = Object.keys(SETTINGS) as Member[]

const settingOf = (member: Member) => SETTINGS[member] as Setting

const Settings = z.object(
  Object.fromEntries(MEMBERS.map((member) => [member, SETTINGS[member].schema])) as {
    [M in Member]: (typeof SETTINGS)[M]['schema']
  },
)

/** Variables that commands and examples read. They may be set where the service starts. */
const OF_CLIENTS = ['OTS_URL', 'OTS_TOKEN', 'OTS_OPERATOR_TOKEN']

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export type Config = ReturnType<typeof readConfig>

/** Reads and checks the settings, and reports all invalid ones at once. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const unknown = findUnknown(environment)
  const given = Object.fromEntries(MEMBERS.map((member) => [member, readSetting(settingOf(member), environment)]))
  const { data, error } = Settings.safeParse(given)
  const invalid = error?.issues.map((issue) => describeIssue(issue, given)) ?? []
  if (!data || unknown.length > 0) throw new ConfigRefusal([...unknown, ...invalid].join('\n'))
  const conflict = findConflict(data)
  if (conflict !== undefined) throw new ConfigRefusal(conflict)
  const production = data.mode === 'production'
  return {
    ...data,
    callbackAllow: data.callbackAllow ?? (production ? [] : LOOPBACK),
    drain: data.drain ?? (production ? 5 : 0),
    logLevel: data.logLevel ?? (production ? ('info' as const) : ('warn' as const)),
  }
}

/** The text of a setting, from its variable or from the file that a secret is kept in. */
function readSetting({ name, isSecret = false }: Setting, environment: NodeJS.ProcessEnv): string | undefined {
  // Shells and containers set a variable to the empty string to unset it.
  const value = environment[name]?.trim() || undefined
  const path = isSecret ? environment[`${name}_FILE`]?.trim() || undefined : undefined
  if (path === undefined) return value
  if (value !== undefined) throw new ConfigRefusal(`Set ${name} or ${name}_FILE, not both.`)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new ConfigRefusal(`${name}_FILE: Cannot read "${path}" (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Names what was expected, and the value unless it is secret. */
function describeIssue({ code, path, message }: z.core.$ZodIssue, given: Record<string, string | undefined>): string {
  const member = path[0] as Member
  const { name, form, isSecret = false } = settingOf(member)
  const expected = code === 'custom' ? message.replace(/\.$/, '') : `Expected ${form}`
  return `${name}: ${expected}${isSecret ? '' : `, but it is "${given[member]}"`}.`
}

/** A misspelled setting would be left out without a word. */
function findUnknown(environment: NodeJS.ProcessEnv): string[] {
  const names = MEMBERS.map((member) => settingOf(member))
  const files = names.filter(({ isSecret }) => isSecret).map(({ name }) => `${name}_FILE`)
  const known = [...names.map(({ name }) => name), ...files, ...OF_CLIENTS]
  const unknown = Object.keys(environment).filter(
    (name) => /^OTS_/i.test(name) && environment[name] !== '' && !known.includes(name),
  )
  return unknown.map((name) => {
    const likeness = (other: string) => jaroWinkler(name.toUpperCase(), other)
    // A few settings have no prefix: OTS_PORT means PORT.
    const plain = known.find((other) => `OTS_${other}` === name.toUpperCase())
    const nearest = plain ?? known.toSorted((a, b) => likeness(b) - likeness(a))[0]
    return `${name} is not a setting. Did you mean ${nearest}?`
  })
}

/** Checks settings against each other. */
function findConflict(config: z.output<typeof Settings>): string | undefined {
  const { port, adminPort, mllpPort, mllpTokens, mllpTlsCert, mllpTlsKey, mllpTlsCa } = config
  if (config.mode === 'production') {
    const missing = [config.databaseUrl ? [] : 'DATABASE_URL', config.keys.length > 0 ? [] : 'OTS_KEYS'].flat()
    if (missing.length > 0) return `OTS_MODE=production requires ${missing.join(' and ')}.`
    if ((config.smtpUrl ?? config.smsUrl) !== undefined && config.publicUrl === undefined)
      return 'OTS_PUBLIC_URL is required with OTS_SMTP_URL or OTS_SMS_URL: notifications link to it.'
  }
  if (config.databaseReadUrl !== undefined && config.databaseUrl === undefined)
    return 'OTS_DATABASE_READ_URL requires DATABASE_URL: the embedded server has no replica.'
  const oidc = findOidcConflict(config)
  if (oidc !== undefined) return oidc
  if (mllpPort !== undefined && mllpTokens === undefined)
    return 'OTS_MLLP_PORT requires OTS_MLLP_TOKEN, the secret of a token with an intake scope.'
  if ((mllpTlsCert === undefined) !== (mllpTlsKey === undefined))
    return 'Set both OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY, or neither.'
  if (mllpTlsCa !== undefined && mllpTlsCert === undefined)
    return 'OTS_MLLP_TLS_CA requires OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY.'
  if (adminPort === port && port !== 0) return 'OTS_ADMIN_PORT and PORT must differ.'
  return mllpPort === port && port !== 0 ? 'OTS_MLLP_PORT and PORT must differ.' : undefined
}

/** A provider that anybody can listen to, or that sends people to an unknown address, signs nobody in. */
function findOidcConflict(config: z.output<typeof Settings>): string | undefined {
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl, mode } = config
  const set = [oidcIssuer, oidcClientId, oidcClientSecret].filter((value) => value !== undefined)
  if (set.length === 0) return undefined
  if (oidcIssuer === undefined || set.length < 3)
    return 'Set all of OTS_OIDC_ISSUER, OTS_OIDC_CLIENT_ID and OTS_OIDC_CLIENT_SECRET, or none.'
  const { protocol, hostname } = new URL(oidcIssuer)
  if (protocol === 'http:' && !isLocal(hostname))
    return 'OTS_OIDC_ISSUER: Expected https, except on this machine: who reads the answers can sign in as anyone.'
  if (mode === 'production' && publicUrl === undefined)
    return 'OTS_PUBLIC_URL is required with OTS_OIDC_ISSUER: the provider sends people back to it.'
  return undefined
}

/** The demo tokens are public, so a sandbox listens beyond this machine only if OTS_SANDBOX_PUBLIC allows it. */
export function refusePublicSandbox({ mode, host, mllpHost, mllpPort, sandboxPublic }: Config): void {
  if (mode === 'production' || sandboxPublic) return
  const open = [
    ...(isLocal(host) ? [] : [`HOST=${host}`]),
    ...(mllpPort === undefined || isLocal(mllpHost) ? [] : [`OTS_MLLP_HOST=${mllpHost}`]),
  ]
  if (open.length === 0) return
  throw new ConfigRefusal(
    `${open.join(' and ')} would open this sandbox, whose demo tokens are public, to other machines: set OTS_SANDBOX_PUBLIC=yes to allow it.`,
  )
}

/** Whether other machines reach the service, directly or through a proxy. */
export const isPublic = ({ sandboxPublic, publicUrl }: Config) =>
  sandboxPublic || (publicUrl !== undefined && !isLocal(new URL(publicUrl).hostname))

const isLocal = (host: string) => /^(.+\.)?localhost\.?$/i.test(host) || isLoopback(host.replace(/^\[(.*)\]$/, '$1'))

type Printed = string | number | null

/** The settings without secrets, null if not set; `database` describes the database in use. */
export function printable(config: Config, database = 'embedded'): Record<string, Printed> {
  const printed = MEMBERS.map((member) => {
    const { name, print } = settingOf(member)
    const value = config[member]
    return [name, value === undefined ? null : (print?.(value) ?? (value as Printed))]
  })
  return { ...Object.fromEntries(printed), ...(config.databaseUrl === undefined && { DATABASE_URL: `(${database})` }) }
}

function originOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
