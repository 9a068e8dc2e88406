import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

/** Where the database is: a libpq connection URI, or the socket of the embedded server. */
export type Target = string | { host: string; port: number; database: string; username: string; password?: string }

/** A parsed address. Hosts are tried in order; a host that starts with `/` is the directory of a Unix socket. */
export interface Address {
  hosts: { host: string; port: number }[]
  user?: string | undefined
  password?: string | undefined
  database?: string | undefined
  /** Server options for each session, as `-c name=value`. */
  options?: string | undefined
  /** `application_name`, which administrators see in pg_stat_activity. */
  application?: string | undefined
  connectWithinMs?: number | undefined
  ssl: ConnectionOptions | false
  /** Whether a server without encryption is accepted. */
  allowsPlain: boolean
  /** Whether only a server that accepts writes is used. */
  needsWrites: boolean
}

/** The address cannot be used; the message says why. */
export class AddressRefusal extends Error {}

export function parseTarget(target: Target): Address {
  if (typeof target === 'string') return parseAddress(target)
  const { host, port, username: user, ...login } = target
  return { ...login, user, hosts: [{ host, port }], ssl: false, allowsPlain: true, needsWrites: false }
}

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

const KNOWN_PARAMETERS = [
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'options',
  'application_name',
  'connect_timeout',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'target_session_attrs',
]

/** Parses `postgres://user:password@host:port,host:port/database?parameters`. `URL` does not support several hosts. */
export function parseAddress(text: string): Address {
  const [, login = '', hostList = '', database = '', query = ''] =
    SHAPE.exec(text) ?? refuse('Expected an address such as postgres://user@host/database.')
  // After the login an @ is not valid: it belongs to a password that was cut at an unescaped / or ?.
  if ((hostList + database + query).includes('@'))
    refuse('The user or password contains a reserved character. Write %2F for /, %3F for ?, %23 for #, %40 for @.')
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].filter((name) => !KNOWN_PARAMETERS.includes(name))
  if (unknown.length > 0)
    refuse(`Unknown parameter ${unknown.join(', ')}. Known parameters: ${KNOWN_PARAMETERS.join(', ')}.`)
  const [user, ...password] = login.split(':')
  return {
    hosts: parseHosts(decode(hostList), parameters),
    user: decode(user!) || (parameters.get('user') ?? undefined),
    password: decode(password.join(':')) || (parameters.get('password') ?? undefined),
    database: decode(database) || (parameters.get('dbname') ?? undefined),
    options: parameters.get('options') ?? undefined,
    application: parameters.get('application_name') ?? undefined,
    connectWithinMs: parseTimeout(parameters.get('connect_timeout')),
    ...parseSsl(parameters),
    needsWrites: parseAttributes(parameters.get('target_session_attrs') ?? 'any'),
  }
}

/** Hosts in the query replace those of the address: this is how libpq URIs name the directory of a socket. */
function parseHosts(list: string, parameters: URLSearchParams): Address['hosts'] {
  const inQuery = parameters.get('host')
  const ports = (parameters.get('port') ?? '').split(',')
  return (inQuery ?? list).split(',').map((each, i) => {
    const [, v6, name, written] =
      /^(?:\[(.+)\]|([^:]*))(?::(\d*))?$/.exec(each) ?? refuse('Write hosts as name:port, separated by commas.')
    const fromList = inQuery === null ? undefined : /:(\d+)$/.exec(list.split(',')[i] ?? '')?.[1]
    const port = Number(written || fromList || (ports[i] ?? ports[0]) || 5432)
    if (port < 1 || port > 65_535) refuse('A port must be a number from 1 to 65535.')
    return { host: v6 ?? (name || 'localhost'), port }
  })
}

/** In seconds; 0 means the default. */
function parseTimeout(seconds: string | null): number | undefined {
  if (seconds === null || seconds === '0') return undefined
  if (!/^\d{1,5}$/.test(seconds)) refuse('connect_timeout must be a number of seconds.')
  return Number(seconds) * 1000
}

function parseAttributes(attributes: string): boolean {
  if (attributes === 'any') return false
  if (attributes === 'read-write' || attributes === 'primary') return true
  return refuse(
    `target_session_attrs=${attributes} is not supported: the service needs a server that accepts writes (read-write).`,
  )
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * As in libpq: `prefer` encrypts if the server supports it, `require` always does, `verify-ca` also checks the certificate
 * authority, and `verify-full` the host name too. Unlike libpq, the default is `disable`.
 */
function parseSsl(parameters: URLSearchParams): Pick<Address, 'ssl' | 'allowsPlain'> {
  const mode = parameters.get('sslmode') ?? (parameters.has('sslrootcert') ? 'verify-full' : 'disable')
  if (!SSL_MODES.includes(mode)) refuse(`Unknown sslmode=${mode}. Use one of ${SSL_MODES.join(', ')}.`)
  if (mode === 'disable') return { ssl: false, allowsPlain: true }
  const isSystem = parameters.get('sslrootcert') === 'system'
  if (isSystem && mode !== 'verify-full') refuse(`sslrootcert=system requires sslmode=verify-full, not ${mode}.`)
  const ca = isSystem ? undefined : readParameterFile(parameters, 'sslrootcert')
  const allowsPlain = mode === 'allow' || mode === 'prefer'
  const verifies = mode.startsWith('verify') || (mode === 'require' && ca !== undefined)
  const ssl = {
    ...(ca && { ca }),
    cert: readParameterFile(parameters, 'sslcert'),
    key: readParameterFile(parameters, 'sslkey'),
    passphrase: parameters.get('sslpassword') ?? undefined,
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
  return { ssl, allowsPlain }
}

function readParameterFile(parameters: URLSearchParams, name: string): string | undefined {
  const path = parameters.get(name)
  if (path === null) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(`${name}: ${(error as Error).message}`)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(
      'The address contains a % that is not followed by two hexadecimal digits. Write %25 for a percent sign.',
    )
  }
}

function refuse(message: string): never {
  throw new AddressRefusal(message)
}

/** A valid address without user, password and other possible secrets, for output. */
export function printableAddress(text: string): string {
  const [, login, hosts = '', database = '', query = ''] = SHAPE.exec(text) ?? []
  const shown = [...new URLSearchParams(query)].filter(([name]) =>
    ['host', 'sslmode', 'target_session_attrs'].includes(name),
  )
  const parameters = shown.map(([name, value]) => `${name}=${value}`).join('&')
  return `postgres://${login === undefined ? '' : '***@'}${hosts}${database && `/${database}`}${parameters && `?${parameters}`}`
}
