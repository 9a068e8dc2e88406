import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { z } from 'zod'
import { isLoopback } from '../../domain/webhooks/address-ranges.ts'
import { AddressRefusal, parseAddress, printableAddress } from '../../store/db/address.ts'
import type { Key } from '../../store/sealing/keyring.ts'

/** A setting is invalid; the message says how to correct it. */
export class ConfigRefusal extends Error {}

const seconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const DURATION = /^\d+(\.\d+)?(ms|s|m|h|d)$/

const durations = list.pipe(z.array(z.string().regex(DURATION, 'Expected durations such as 0s,5s,2m,1h.')).min(1))

const duration = z.string().regex(DURATION, 'Expected a duration such as 500ms, 10s or 2m.')

const key = z
  .string()
  .transform((text) => readKey(text))
  .refine(({ secret }) => secret.length >= 16, 'A key needs at least 16 characters; use 32 random bytes in base64.')

const keys = z
  .array(key)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two keys have the same id.')

function checkAddress(text: string, context: z.RefinementCtx): void {
  try {
    parseAddress(text)
  } catch (error) {
    if (!(error instanceof AddressRefusal)) throw error
    context.addIssue({ code: 'custom', message: error.message })
  }
}

/** Every setting, by the name of its environment variable. */
const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z.string().superRefine(checkAddress).optional(),
  OTS_DATABASE_POOL: z.coerce.number().int().min(3).max(1_000).default(10),
  OTS_DATABASE_PREPARE: z.enum(['on', 'off']).default('on'),
  OTS_DATA_DIR: z.string().default('./data'),
  OTS_MODE: z.enum(['sandbox', 'production']).default('sandbox'),
  OTS_SANDBOX_PUBLIC: z.enum(['yes', 'no']).default('no'),
  OTS_ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  OTS_MIGRATE: z.enum(['auto', 'off']).default('auto'),
  OTS_CATALOG: list.default([]),
  OTS_KEYS: list.pipe(keys).default([]),
  OTS_CALLBACK_ALLOW: list
    .pipe(
      z.union([z.tuple([z.literal('none')]).transform((): string[] => []), z.array(z.union([z.cidrv4(), z.cidrv6()]))]),
    )
    .optional(),
  OTS_RETRY_SCHEDULE: durations.default([
    '0s',
    '5s',
    '30s',
    '2m',
    '5m',
    '10m',
    '15m',
    '25m',
    '2h',
    '5h',
    '10h',
    '14h',
    '20h',
    '24h',
  ]),
  OTS_REQUEST_TIMEOUT: duration.default('10s'),
  OTS_RATE_LIMIT: z.coerce.number().int().min(0).default(1200),
  OTS_MAIL_QUOTA: z.coerce.number().int().min(0).max(1_000_000_000).default(1000),
  OTS_MLLP_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  OTS_MLLP_HOST: z.string().default('127.0.0.1'),
  OTS_MLLP_TOKEN: z.string().optional(),
  OTS_MLLP_TLS_CERT: z.string().optional(),
  OTS_MLLP_TLS_KEY: z.string().optional(),
  OTS_MLLP_TLS_CA: z.string().optional(),
  OTS_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  OTS_SMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  OTS_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  OTS_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
})

const LOOPBACK = ['127.0.0.0/8', '::1/128']

export type Config = ReturnType<typeof readConfig>

/** Reads and checks the settings, and reports all invalid ones at once. */
export function readConfig(environment: NodeJS.ProcessEnv) {
  // Shells and containers set a variable to the empty string to unset it.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigRefusal(parsed.error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join('\n'))
  }
  const env = parsed.data
  const production = env.OTS_MODE === 'production'
  const missing = production
    ? [env.DATABASE_URL ? [] : 'DATABASE_URL', env.OTS_KEYS.length > 0 ? [] : 'OTS_KEYS'].flat()
    : []
  if (missing.length > 0) throw new ConfigRefusal(`OTS_MODE=production requires ${missing.join(' and ')}.`)
  if (production && (env.OTS_SMTP_URL ?? env.OTS_SMS_URL) !== undefined && env.OTS_PUBLIC_URL === undefined)
    throw new ConfigRefusal('OTS_PUBLIC_URL is required with OTS_SMTP_URL or OTS_SMS_URL: notifications link to it.')
  if (toSeconds(env.OTS_REQUEST_TIMEOUT) < 0.1) throw new ConfigRefusal('OTS_REQUEST_TIMEOUT: Expected at least 100ms.')
  if (env.OTS_MLLP_PORT !== undefined && env.OTS_MLLP_TOKEN === undefined) {
    throw new ConfigRefusal('OTS_MLLP_PORT requires OTS_MLLP_TOKEN, the secret of a token with an intake scope.')
  }
  if ((env.OTS_MLLP_TLS_CERT === undefined) !== (env.OTS_MLLP_TLS_KEY === undefined)) {
    throw new ConfigRefusal('Set both OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY, or neither.')
  }
  if (env.OTS_MLLP_TLS_CA !== undefined && env.OTS_MLLP_TLS_CERT === undefined) {
    throw new ConfigRefusal('OTS_MLLP_TLS_CA requires OTS_MLLP_TLS_CERT and OTS_MLLP_TLS_KEY.')
  }
  if (env.OTS_MLLP_PORT === env.PORT && env.PORT !== 0) throw new ConfigRefusal('OTS_MLLP_PORT and PORT must differ.')
  return {
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    databasePool: env.OTS_DATABASE_POOL,
    databasePrepare: env.OTS_DATABASE_PREPARE === 'on',
    dataDir: resolve(env.OTS_DATA_DIR),
    mode: env.OTS_MODE,
    sandboxPublic: env.OTS_SANDBOX_PUBLIC === 'yes',
    role: env.OTS_ROLE,
    migrate: env.OTS_MIGRATE,
    catalogs: env.OTS_CATALOG,
    keys: env.OTS_KEYS,
    callbackAllow: env.OTS_CALLBACK_ALLOW ?? (production ? [] : LOOPBACK),
    retrySchedule: env.OTS_RETRY_SCHEDULE.map((text) => toSeconds(text)),
    requestTimeout: toSeconds(env.OTS_REQUEST_TIMEOUT),
    rateLimit: env.OTS_RATE_LIMIT,
    mailQuota: env.OTS_MAIL_QUOTA,
    mllpPort: env.OTS_MLLP_PORT,
    mllpHost: env.OTS_MLLP_HOST,
    mllpToken: env.OTS_MLLP_TOKEN,
    mllpTlsCert: env.OTS_MLLP_TLS_CERT,
    mllpTlsKey: env.OTS_MLLP_TLS_KEY,
    mllpTlsCa: env.OTS_MLLP_TLS_CA,
    smtpUrl: env.OTS_SMTP_URL,
    smsUrl: env.OTS_SMS_URL,
    publicUrl: env.OTS_PUBLIC_URL,
    logLevel: env.OTS_LOG_LEVEL ?? (production ? ('info' as const) : ('warn' as const)),
  }
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

/** The settings without secrets; `database` describes the database in use. */
export function printable(config: Config, database = 'embedded'): Record<string, unknown> {
  return {
    PORT: config.port,
    HOST: config.host,
    DATABASE_URL: config.databaseUrl === undefined ? `(${database})` : printableAddress(config.databaseUrl),
    OTS_DATABASE_POOL: config.databasePool,
    OTS_DATABASE_PREPARE: config.databasePrepare ? 'on' : 'off',
    OTS_DATA_DIR: config.dataDir,
    OTS_MODE: config.mode,
    OTS_SANDBOX_PUBLIC: config.sandboxPublic ? 'yes' : 'no',
    OTS_ROLE: config.role,
    OTS_MIGRATE: config.migrate,
    OTS_CATALOG: config.catalogs.join(','),
    OTS_KEYS: config.keys.length > 0 ? `(${config.keys.length} set)` : '(created in the data folder)',
    OTS_CALLBACK_ALLOW: config.callbackAllow.join(',') || 'none',
    OTS_RETRY_SCHEDULE: config.retrySchedule.map((wait) => `${wait}s`).join(','),
    OTS_REQUEST_TIMEOUT: `${config.requestTimeout}s`,
    OTS_RATE_LIMIT: config.rateLimit,
    OTS_MAIL_QUOTA: config.mailQuota,
    OTS_MLLP_PORT: config.mllpPort ?? '(not set)',
    OTS_MLLP_TOKEN: config.mllpToken === undefined ? '(not set)' : '(set)',
    OTS_MLLP_HOST: config.mllpHost,
    OTS_MLLP_TLS_CERT: config.mllpTlsCert ?? '(not set)',
    OTS_MLLP_TLS_KEY: config.mllpTlsKey ?? '(not set)',
    OTS_MLLP_TLS_CA: config.mllpTlsCa ?? '(not set)',
    OTS_SMTP_URL: originOf(config.smtpUrl) ?? '(not set)',
    OTS_SMS_URL: originOf(config.smsUrl) ?? '(not set)',
    OTS_PUBLIC_URL: config.publicUrl ?? '(not set)',
    OTS_LOG_LEVEL: config.logLevel,
  }
}

/** Reads `id:secret`. The id of a secret without one is taken from its hash. */
export function readKey(text: string): Key {
  const [, id, secret] = /^([\w-]{1,32}):(.+)$/.exec(text) ?? []
  if (id !== undefined && secret !== undefined) return { id, secret }
  return { id: createHash('sha256').update(text).digest('hex').slice(0, 8), secret: text }
}

function originOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}

function toSeconds(text: string): number {
  const [, amount, unit] = /^([\d.]+)(ms|s|m|h|d)$/.exec(text) ?? []
  return Number(amount) * seconds[unit as keyof typeof seconds]
}
