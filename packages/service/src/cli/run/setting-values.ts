import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AddressRefusal, parseAddress } from '../../store/db/address.ts'
import type { Key } from '../../store/sealing/keyring.ts'
import { readList } from '../option-values.ts'

/** How a setting is read, and the form it is expected in. Messages of refined schemas replace the form. */
export interface Value<T extends z.ZodType> {
  schema: T
  form: string
}

export const text = { schema: z.string(), form: 'a text' }

export const whole = (least: number, most: number) => ({
  schema: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(least).max(most)),
  form: `a whole number from ${least} to ${most}`,
})

export const oneOf = <const T extends readonly [string, ...string[]]>(...names: T) => ({
  schema: z.enum(names),
  form: `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`,
})

/** Two words for a boolean. */
export const flag = (yes: string, no: string) => ({
  schema: z.enum([yes, no]).transform((word) => word === yes),
  form: `${yes} or ${no}`,
})

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400 }

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/

const seconds = z
  .string()
  .regex(DURATION)
  .transform((duration) => {
    const [, amount, unit] = DURATION.exec(duration) ?? []
    return Number(amount) * SECONDS[unit as keyof typeof SECONDS]
  })

/** A duration, in seconds. */
export const duration = (least: string) => {
  const shortest = seconds.parse(least)
  return {
    schema: seconds.refine((time) => time >= shortest, `Expected at least ${least}.`),
    form: 'a duration such as 500ms, 10s or 2m',
  }
}

export const durations = {
  schema: z.string().transform(readList).pipe(z.array(seconds).min(1)),
  form: 'durations such as 0s,5s,2m,1h',
}

export const list = { schema: z.string().transform(readList), form: 'values separated by commas' }

/** Secrets contain no spaces. */
export const secrets = {
  schema: z
    .string()
    .transform((joined) => joined.split(/\s+/).filter((secret) => secret !== ''))
    .refine(({ length }) => length > 0),
  form: 'secrets separated by spaces',
}

/** `none`, or ranges of addresses. */
export const networks = {
  schema: z
    .string()
    .transform(readList)
    .pipe(
      z.union([
        z.tuple([z.literal('none')]).transform((): string[] => []),
        z.array(z.union([z.cidrv4(), z.cidrv6()])).min(1),
      ]),
    ),
  form: 'ranges such as 10.0.0.0/8, separated by commas, or none',
}

export const webAddress = { schema: z.url({ protocol: /^https?$/ }), form: 'an address such as https://orders.example' }

/** The origin of the pages and of the API, which are served at the root of their host. */
export const publicAddress = {
  schema: webAddress.schema.refine((address) => {
    const { pathname, search, hash } = new URL(address)
    return pathname === '/' && search === '' && hash === ''
  }, 'Expected an address without a path, such as https://orders.example: the service answers at the root of its host.'),
  form: webAddress.form,
}

export const mailAddress = {
  schema: z.url({ protocol: /^smtps?$/ }),
  form: 'an address such as smtp://user:password@mail.example:587',
}

export const databaseAddress = {
  schema: z.string().superRefine((address, context) => {
    try {
      parseAddress(address)
    } catch (error) {
      if (!(error instanceof AddressRefusal)) throw error
      context.addIssue({ code: 'custom', message: error.message })
    }
  }),
  form: 'an address such as postgres://user:password@host/database',
}

/** What one standby has replayed says nothing about another, and no standby accepts writes. */
export const replicaAddress = {
  ...databaseAddress,
  schema: databaseAddress.schema.refine((address) => isOneStandby(address), {
    error: 'Expected one host, without target_session_attrs.',
  }),
}

function isOneStandby(address: string): boolean {
  try {
    const { hosts, needsWrites } = parseAddress(address)
    return hosts.length === 1 && !needsWrites
  } catch {
    // Already reported.
    return true
  }
}

const key = z
  .string()
  .transform((given) => readKey(given))
  .refine(({ secret }) => secret.length >= 16, 'A key needs at least 16 characters; use 32 random bytes in base64.')

export const keys = {
  schema: z
    .string()
    // A file may have one key on each line.
    .transform((given) => readList(given.replaceAll('\n', ',')))
    .pipe(
      z.array(key).refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Two keys have the same id.'),
    ),
  form: 'keys separated by commas',
}

/** Reads `id:secret`. The id of a secret without one is taken from its hash. */
export function readKey(given: string): Key {
  const [, id, secret] = /^([\w-]{1,32}):(.+)$/.exec(given) ?? []
  if (id !== undefined && secret !== undefined) return { id, secret }
  return { id: createHash('sha256').update(given).digest('hex').slice(0, 8), secret: given }
}
