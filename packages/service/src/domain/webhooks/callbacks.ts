import { pointerTo, type Callback, type DeepPartial, type Problem } from '@order-testing/contract'
import { whySpecial } from './address-ranges.ts'

export interface CallbackPolicy {
  production: boolean
  /** CIDR ranges that callbacks may reach besides public ones. */
  callbackAllow: readonly string[]
}

/** Headers that the service or the connection sets; a registration cannot. */
export const OUR_HEADERS = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'x-signature',
  // HTTP clients refuse to send these, so every delivery would fail.
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
])

/** Whether only the service may set the header; so are all of Standard Webhooks (ruling 48). */
export const isOurHeader = (name: string): boolean => /^webhook-/i.test(name) || OUR_HEADERS.has(name.toLowerCase())

/** RFC 9110, field names and values. */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** RFC 7617: neither contains control characters, and a colon ends the user name. */
const USER_NAME = /^[^\p{Cc}:]*$/u
const PASSWORD = /^\P{Cc}*$/u

/** The problems of a callback; `path` is where it is in the request. */
export function checkCallback(
  callback: DeepPartial<Callback>,
  policy: CallbackPolicy,
  path: readonly string[] = ['callback'],
): Problem[] {
  const { url, headers, auth } = callback
  return [
    ...(url === undefined ? [] : checkUrl(url, policy, pointerTo([...path, 'url']))),
    ...checkHeaders(headers ?? {}, [...path, 'headers']),
    ...(auth === undefined ? [] : checkAuth(auth, [...path, 'auth'])),
  ]
}

/** One spelling per address: host case, default ports and fragments make no difference to a client. */
export function canonicalAddress(text: string): string {
  const url = new URL(text)
  url.hash = ''
  return url.href
}

/** Checks the host as written. Names are not resolved, so that one that does not resolve yet can be registered. */
function whySpecialHost(hostname: string, allow: readonly string[]): string | null {
  const host = hostname.replace(/\.+$/, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) {
    return LOOPBACKS.some((address) => whySpecial(address, allow) === null) ? null : 'loopback'
  }
  if (host.startsWith('[')) return whySpecial(host.slice(1, -1), allow)
  return /^[\d.]+$/.test(host) ? whySpecial(host, allow) : null
}

const LOOPBACKS = ['127.0.0.1', '::1']

function checkUrl(text: string, { production, callbackAllow }: CallbackPolicy, pointer: string): Problem[] {
  const problem = (code: Problem['code'], detail: string): Problem[] => [{ code, detail, pointer, constraint: 'isUrl' }]
  // Only these schemes have one spelling per address, so other URLs are not checked further.
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !SCHEMES.has(url.protocol)) return problem('invalidFormat', 'Expected an http or https URL.')
  const range = whySpecialHost(url.hostname, callbackAllow)
  return [
    ...(production && url.protocol !== 'https:' ? problem('invalidFormat', 'Expected an https URL.') : []),
    ...(CREDENTIALS.test(text) ? problem('invalidValue', 'Send credentials in `auth`, not in the URL.') : []),
    ...(range === null
      ? []
      : problem('invalidValue', `Callbacks cannot be sent to this kind of address (${range}). Use a public address.`)),
  ]
}

/** Also matches empty credentials. */
const CREDENTIALS = /^[^/?#]*\/\/[^/?#\\]*@/

const SCHEMES = new Set(['http:', 'https:'])

type Auth = NonNullable<DeepPartial<Callback>['auth']>

function checkAuth(auth: Auth, path: readonly string[]): Problem[] {
  switch (auth.type) {
    case 'apiKey':
      return checkCharacters(auth.apiKey, HEADER_VALUE, [...path, 'apiKey'])
    case 'bearer':
      return checkCharacters(auth.token, HEADER_VALUE, [...path, 'token'])
    case 'basic':
      return [
        ...checkCharacters(auth.username, USER_NAME, [...path, 'username']),
        ...checkCharacters(auth.password, PASSWORD, [...path, 'password']),
      ]
    case 'custom':
      return checkHeaders(auth.custom ?? {}, [...path, 'custom'])
    default:
      return []
  }
}

function checkHeaders(headers: Record<string, string>, path: readonly string[]): Problem[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  return Object.entries(headers).flatMap(([name, value], i) => {
    const pointer = pointerTo([...path, name])
    if (names.indexOf(name.toLowerCase()) < i) {
      return [{ code: 'invalidKey', detail: 'Duplicate header: header names are case-insensitive.', pointer }]
    }
    if (!HEADER_NAME.test(name)) return [{ code: 'invalidKey', detail: 'Invalid header name.', pointer }]
    if (isOurHeader(name)) {
      return [{ code: 'invalidKey', detail: 'This header is set by the service and cannot be overridden.', pointer }]
    }
    return checkCharacters(value, HEADER_VALUE, [...path, name])
  })
}

function checkCharacters(value: string | undefined, pattern: RegExp, path: readonly string[]): Problem[] {
  const detail = 'Contains a line break or another character that HTTP headers do not allow.'
  return value === undefined || pattern.test(value) ? [] : [{ code: 'invalidFormat', detail, pointer: pointerTo(path) }]
}
