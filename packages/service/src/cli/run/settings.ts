import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '../../domain/webhooks/address-ranges.ts'
import { AddressRefusal, parseAddress, printableAddress } from '../../store/db/address.ts'
import type { Key } from '../../store/sealing/keyring.ts'
import { readList } from '../option-values.ts'

/** A setting is invalid; the message says how to correct it. */
export class ConfigRefusal extends Error {}

/** The environment variable of a setting, how it is read and, if it is set, how it is printed. */
const setting = <T extends z.ZodType>(
  name: string,
  schema: T,
  print: (value: NonNullable<z.output<T>>) => unknown = (value) => value,
) => ({ name, schema, print })

const whole = (least: number, most = Number.MAX_SAFE_INTEGER) => z.coerce.number().int().min(least).max(most)

/** An enum of two values as a boolean. */
const flag = <T extends string>(yes: T, no: T) => z.enum([yes, no]).transform((value) => value === yes)

const list = z.string().transform(readList)

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

/** A duration, in seconds. */
const duration = (expected: string) =>
  z
    .string()
    .regex(DURATION, expected)
    .transform((text) => {
      const [, amount, unit] = DURATION.exec(text) ?? []
      return Number(amount) * SECONDS[unit as keyof typeof SECONDS]
    })

const databaseAddress = z.string().superRefine((text, context) => {
  try {
    parseAddress(text)
  } catch (error) {
    if (!(error instanceof AddressRefusal)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
})

const key = z
  .string()
  .transform((text) => readKey(text))
  .refine(({ secret }) => secret.length >= 16, 'A key needs at least 16 characters; use 32 random bytes in base64.')

const keys = z
  .array(key)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two keys have the same id.')

const networks = z.union([
  z.tuple([z.literal('none')]).transform((): string[] => []),
  z.array(z.union([z.cidrv4(), z.cidrv6()])),
])

const webAddress = z.url({ protocol: /^https?$/ })

const plain = z.string()

/** Every setting, in the order in which they are printed. */
const SETTINGS = {
  port: setting('PORT', whole(0, 65_535).default(3000)),
  host: setting('HOST', plain.default('127.0.0.1')),
  databaseUrl: setting('DATABASE_URL', databaseAddress.optional(), printableAddress),
  databasePool: setting('OTS_DATABASE_POOL', whole(3, 1_000).default(10)),
  databasePrepare: setting('OTS_DATABASE_PREPARE', flag('on', 'off').prefault('on'), (is) => (is ? 'on' : 'off')),
  dataDir: setting('OTS_DATA_DIR', plain.transform((path) => resolve(path)).prefault('./data')),
  mode: setting('OTS_MODE', z.enum(['sandbox', 'production']).default('sandbox')),
  sandboxPublic: setting('OTS_SANDBOX_PUBLIC', flag('yes', 'no').prefault('no'), (is) => (is ? 'yes' : 'no')),
  role: setting('OTS_ROLE', z.enum(['all', 'api', 'worker']).default('all')),
  migrate: setting('OTS_MIGRATE', z.enum(['auto', 'off']).default('auto')),
  catalogs: setting('OTS_CATALOG', list.default([]), (paths) => paths.join(',')),
  keys: setting('OTS_KEYS', list.pipe(keys).default([]), ({ length }) =>
    length > 0 ? `(${length} set)` : '(created in the data folder)',
  ),
  callbackAllow: setting('OTS_CALLBACK_ALLOW', list.pipe(networks).optional(), (ranges) => ranges.join(',') || 'none'),
  retrySchedule: setting(
    'OTS_RETRY_SCHEDULE',
    list
      .pipe(z.array(duration('Expected durations such as 0s,5s,2m,1h.')).min(1))
      .prefault('0s,5s,30s,2m,5m,10m,15m,25m,2h,5h,10h,14h,20h,24h'),
    (waits) => waits.map((wait) => `${wait}s`).join(','),
  ),
  requestTimeout: setting(
    'OTS_REQUEST_TIMEOUT',
    duration('Expected a duration such as 500ms, 10s or 2m.')
      .refine((time) => time >= 0.1, 'Expected at least 100ms.')
      .prefault('10s'),
    (time) => `${time}s`,
  ),
  rateLimit: setting('OTS_RATE_LIMIT', whole(0).default(1200)),
  mailQuota: setting('OTS_MAIL_QUOTA', whole(0, 1_000_000_000).default(1000)),
  mllpPort: setting('OTS_MLLP_PORT', whole(0, 65_535).optional()),
  mllpToken: setting('OTS_MLLP_TOKEN', plain.optional(), () => '(set)'),
  mllpHost: setting('OTS_MLLP_HOST', plain.default('127.0.0.1')),
  mllpTlsCert: setting('OTS_MLLP_TLS_CERT', plain.optional()),
  mllpTlsKey: setting('OTS_MLLP_TLS_KEY', plain.optional()),
  mllpTlsCa: setting('OTS_MLLP_TLS_CA', plain.optional()),
  smtpUrl: setting('OTS_SMTP_URL', z.url({ protocol: /^smtps?$/ }).optional(), originOf),
  smsUrl: setting('OTS_SMS_URL', webAddress.optional(), originOf),
  publicUrl: setting('OTS_PUBLIC_URL', webAddress.optional()),
  docs: setting('OTS_DOCS', flag('on', 'off').prefault('on'), (is) => (is ? 'on' : 'off')),
  logLevel: setting('OTS_LOG_LEVEL', z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional()),
}

type Member = keyof typeof SETTINGS

const MEMBERS = Object.keys(SETTINGS) as Member[]

const Settings = z.object(
  Object.fromEntries(MEMBERS.map((member) => [member, SETTINGS[member].schema])) as {
    [M in Member]: (typeof SETTINGS)[M]['schema']
  },
)

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export type Config = ReturnType<typeof readConfig>

/** Reads and checks the settings, and reports all invalid ones at once. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  // Shells and containers set a variable to the empty string to unset it.
  const given = MEMBERS.map((member) => [member, environment[SETTINGS[member].name] || undefined])
  const { data, error } = Settings.safeParse(Object.fromEntries(given))
  if (error) {
    const lines = error.issues.map(({ path, message }) => `${SETTINGS[path[0] as Member].name}: ${message}`)
    throw new ConfigRefusal(lines.join('\n'))
  }
  const conflict = findConflict(data)
  if (conflict !== undefined) throw new ConfigRefusal(conflict)
  const production = data.mode === 'production'
  return {
    ...data,
    callbackAllow: data.callbackAllow ?? (production ? [] : LOOPBACK),
    logLevel: data.logLevel ?? (production ? ('info' as const) : ('warn' as const)),
  }
}

/** Checks settings against each other. */
function findConflict(config: z.output<typeof Settings>): string | undefined {
  const { port, mllpPort, mllpToken, mllpTlsCert, mllpTlsKey, mllpTlsCa } = config
  if (config.mode === 'production') {
    const missing = [config.databaseUrl ? [] : 'DATABASE_URL', config.keys.length > 0 ? [] : 'OTS_KEYS'].flat()
    if (missing.length > 0) return `OTS_MODE=production requires ${missing.join(' and ')}.`
    if ((config.smtpUrl ?? config.smsUrl) !== undefined && config.publicUrl === undefined)
      return 'OTS_PUBLIC_URL is required with OTS_SMTP_URL or OTS_SMS_URL: notifications link to it.'
  }
  if (mllpPort !== undefined && mllpToken === undefined)
    return 'OTS_MLLP_PORT requires OTS_MLLP_TOKEN, the secret of a token with an intake scope.'
  if ((mllpTlsCert === undefined) !== (mllpTlsKey === undefined))
    return 'Set both OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY, or neither.'
  if (mllpTlsCa !== undefined && mllpTlsCert === undefined)
    return 'OTS_MLLP_TLS_CA requires OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY.'
  return mllpPort === port && port !== 0 ? 'OTS_MLLP_PORT and PORT must differ.' : undefined
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
    const { name, print } = SETTINGS[member] as { name: string; print: (value: unknown) => Printed }
    return [name, config[member] === undefined ? null : print(config[member])]
  })
  return { ...Object.fromEntries(printed), ...(config.databaseUrl === undefined && { DATABASE_URL: `(${database})` }) }
}

/** Reads `id:secret`. The id of a secret without one is taken from its hash. */
export function readKey(text: string): Key {
  const [, id, secret] = /^([\w-]{1,32}):(.+)$/.exec(text) ?? []
  if (id !== undefined && secret !== undefined) return { id, secret }
  return { id: createHash('sha256').update(text).digest('hex').slice(0, 8), secret: text }
}

function originOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
