import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

/** Where the database is: an address as libpq writes it, or the socket of the embedded server. */
export type Target = string | { host: string; port: number; database: string; username: string; password?: string }

/** An address in parts. Hosts are tried in order; a host that starts with `/` is the folder of a unix socket. */
export interface Address {
  hosts: { host: string; port: number }[]
  user: string | undefined
  password: string | undefined
  database: string | undefined
  /** Options of the server for each session, as `-c name=value`. */
  options: string | undefined
  /** What the server's administrator sees these connections called. */
  application: string | undefined
  connectWithinMs: number | undefined
  ssl: ConnectionOptions | false
  /** A server that offers no encryption will do as well. */
  allowsPlain: boolean
  /** Only a server that takes writes will do. */
  needsWrites: boolean
}

/** An address that cannot be used, with a sentence that says why. */
export class AddressRefusal extends Error {}

export function parseTarget(target: Target): Address {
  if (typeof target === 'string') return parseAddress(target)
  const { host, port, database, username, password } = target
  return {
    hosts: [{ host, port }],
    user: username,
    password,
    database,
    options: undefined,
    application: undefined,
    connectWithinMs: undefined,
    ssl: false,
    allowsPlain: true,
    needsWrites: false,
  }
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

/** Reads `postgres://user:password@host:port,host:port/database?parameters`, which `URL` cannot when it names several hosts. */
export function parseAddress(text: string): Address {
  const [, login = '', hostList = '', database = '', query = ''] =
    SHAPE.exec(text) ?? refuse('Expected an address such as postgres://user@host/database.')
  if (holdsLogin(hostList + database + query))
    refuse('The user or password holds a character with a meaning of its own: write %2F for /, %3F for ?, %23 for #.')
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].filter((name) => !KNOWN_PARAMETERS.includes(name))
  if (unknown.length > 0)
    refuse(`The parameter ${unknown.join(', ')} is unknown. Known are ${KNOWN_PARAMETERS.join(', ')}.`)
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

/** Behind the login no @ has a place: one that stands there belongs to a password that was cut at its / or ?. */
const holdsLogin = (rest: string) => rest.includes('@')

/** Hosts of the address; those in the query replace them, since that is how libpq spells a socket's folder. */
function parseHosts(list: string, parameters: URLSearchParams): Address['hosts'] {
  const inQuery = parameters.get('host')
  const ports = (parameters.get('port') ?? '').split(',')
  return (inQuery ?? list).split(',').map((each, i) => {
    const [, v6, name, written] =
      /^(?:\[(.+)\]|([^:]*))(?::(\d*))?$/.exec(each) ??
      refuse('Hosts are written as name:port, several of them with commas between.')
    const fromList = inQuery === null ? undefined : /:(\d+)$/.exec(list.split(',')[i] ?? '')?.[1]
    const port = Number(written || fromList || (ports[i] ?? ports[0]) || 5432)
    if (port < 1 || port > 65_535) refuse('A port is a number from 1 to 65535.')
    return { host: v6 ?? (name || 'localhost'), port }
  })
}

/** In seconds; 0 is no limit of the address's own. */
function parseTimeout(seconds: string | null): number | undefined {
  if (seconds === null || seconds === '0') return undefined
  if (!/^\d{1,5}$/.test(seconds)) refuse('connect_timeout is a number of seconds.')
  return Number(seconds) * 1000
}

function parseAttributes(wanted: string): boolean {
  if (wanted === 'any') return false
  if (wanted === 'read-write' || wanted === 'primary') return true
  return refuse(
    `target_session_attrs=${wanted} cannot be used: the service needs a server that takes writes (read-write).`,
  )
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * As libpq reads them: `prefer` encrypts where the server can, `require` always, `verify-ca` also checks who signed, and
 * `verify-full` the name too. Unlike there, nothing is encrypted by default.
 */
function parseSsl(parameters: URLSearchParams): Pick<Address, 'ssl' | 'allowsPlain'> {
  const mode = parameters.get('sslmode') ?? (parameters.has('sslrootcert') ? 'verify-full' : 'disable')
  if (!SSL_MODES.includes(mode)) refuse(`sslmode=${mode} is unknown. Use one of ${SSL_MODES.join(', ')}.`)
  if (mode === 'disable') return { ssl: false, allowsPlain: true }
  const isSystem = parameters.get('sslrootcert') === 'system'
  if (isSystem && mode !== 'verify-full') refuse(`sslrootcert=system needs sslmode=verify-full, not ${mode}.`)
  const ca = isSystem ? undefined : readNamed(parameters, 'sslrootcert')
  const allowsPlain = mode === 'allow' || mode === 'prefer'
  const verifies = mode.startsWith('verify') || (mode === 'require' && ca !== undefined)
  const ssl = {
    ...(ca && { ca }),
    cert: readNamed(parameters, 'sslcert'),
    key: readNamed(parameters, 'sslkey'),
    passphrase: parameters.get('sslpassword') ?? undefined,
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
  return { ssl, allowsPlain }
}

function readNamed(parameters: URLSearchParams, name: string): string | undefined {
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
    return refuse('The address holds a % that is not followed by two hexadecimal digits; write %25 for a percent sign.')
  }
}

function refuse(message: string): never {
  throw new AddressRefusal(message)
}

/** An address that was read, as people may see it: without user, password and what else might be secret. */
export function printableAddress(text: string): string {
  const [, login, hosts = '', database = '', query = ''] = SHAPE.exec(text) ?? []
  const shown = [...new URLSearchParams(query)].filter(([name]) =>
    ['host', 'sslmode', 'target_session_attrs'].includes(name),
  )
  const parameters = shown.map(([name, value]) => `${name}=${value}`).join('&')
  return `postgres://${login === undefined ? '' : '***@'}${hosts}${database && `/${database}`}${parameters && `?${parameters}`}`
}
