import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isStaffScope, mixesScopes, type Problem, type Sender } from '@order-testing/contract'
import { problemAt } from '../refusal.ts'

/** Identifies our tokens to people and to scanners for leaked secrets. */
export const TOKEN_PREFIX = 'otsk_'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** Generates a secret: prefix, 190 random bits, and a checksum that detects typos without a database query. */
export const makeSecret = (random: (limit: number) => number): string => makeSecretWith(TOKEN_PREFIX, random)

/** The same with another prefix, for secrets that are no tokens. */
export function makeSecretWith(prefix: string, random: (limit: number) => number): string {
  const text = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[random(ALPHABET.length)]).join('')
  return prefix + text + checksum(text)
}

/** Whether a string has our prefix but a wrong length or checksum, so that it cannot be one of our secrets. */
export function isDamaged(secret: string): boolean {
  return secret.startsWith(TOKEN_PREFIX) && !isIntact(secret, TOKEN_PREFIX)
}

/** Whether a string has the prefix, length and checksum of a secret. */
export function isIntact(secret: string, prefix: string): boolean {
  if (!secret.startsWith(prefix)) return false
  const text = secret.slice(prefix.length, -CHECKSUM_LENGTH)
  return text.length === RANDOM_LENGTH && secret.slice(-CHECKSUM_LENGTH) === checksum(text)
}

/** The stored form of a secret. Secrets are long and random, so a fast hash is enough. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The same hash as text, for use as a cache key: five times faster than making a buffer. */
export const secretCacheKey = (secret: string): string => hash('sha256', secret, 'base64')

export const hashFromCacheKey = (name: string): Buffer => Buffer.from(name, 'base64')

export interface Grants {
  id?: string | undefined
  scopes: readonly string[]
  companies: readonly string[]
  rateLimit?: number | null | undefined
  expiresAt?: string | Date | null | undefined
  senders?: readonly Sender[] | null | undefined
}

/** Checks that scopes may be combined, that company links have an effect, and that values fit their columns. */
export function checkGrants({ id, scopes, companies, rateLimit, expiresAt, senders }: Grants): Problem[] {
  const isStaff = scopes.some((scope) => isStaffScope(scope))
  const year = new Date(expiresAt ?? '2000-01-01').getUTCFullYear()
  return [
    ...(id?.startsWith(USER_PREFIX) ? [problem('/id', RESERVED)] : []),
    ...(mixesScopes(scopes) ? [problem('/scopes', MIXED)] : []),
    ...(isStaff && companies.length > 0 ? [problem('/companies', UNBOUND)] : []),
    ...((rateLimit ?? 0) > 2_147_483_647 ? [problem('/rateLimit', 'Expected at most 2147483647.')] : []),
    ...(year < 1 || year > 9999 ? [problem('/expiresAt', 'Expected a year from 1 to 9999, in UTC.')] : []),
    ...checkSenders(senders ?? [], scopes),
  ]
}

/** What an edit may not do: turn a token of integrators into one of operators or the reverse, because others may hold its secret. */
export function checkEdit(before: readonly string[], after: readonly string[]): Problem[] {
  const isStaff = (scopes: readonly string[]) => scopes.some((scope) => isStaffScope(scope))
  if (before.length === 0 || after.length === 0 || isStaff(before) === isStaff(after)) return []
  return [problem('/scopes', OTHER_KIND)]
}

const OTHER_KIND = 'The token cannot change between integrators and operators. Issue another one.'

function checkSenders(senders: readonly Sender[], scopes: readonly string[]): Problem[] {
  const isRepeated = ({ id, role }: Sender, i: number) =>
    senders.findIndex((other) => other.id === id && other.role === role) < i
  return senders.flatMap((sender, i) => [
    ...(scopes.includes(`intake.${sender.role}`)
      ? []
      : [problem(`/senders/${i}/role`, `This role requires the scope intake.${sender.role}, which the token lacks.`)]),
    ...(isRepeated(sender, i)
      ? [problem(`/senders/${i}/id`, 'Duplicate sender: the same id and role are already listed.')]
      : []),
  ])
}

const problem = (pointer: string, detail: string) => problemAt(pointer, 'invalidValue', detail)

/** The ids of people begin like this. Both are names in the audit log, where nobody may pass for somebody else. */
export const USER_PREFIX = 'usr_'

const RESERVED = `Ids that begin with ${USER_PREFIX} are those of people.`
const MIXED = 'A token cannot combine operator.* or intake.* scopes with other scopes. Issue two tokens.'
const UNBOUND = 'Tokens with operator.* or intake.* scopes see every company: leave this empty.'

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}
