import { AddressRefusal, refuseAddress as refuse } from './address-refusal.ts'
import { parseEncryption, PLAIN, type Encryption } from './encryption.ts'

export { AddressRefusal }

/** Where the database is: a libpq connection URI, or the socket of the embedded server. */
export type Target = string | { host: string; port: number; database: string; username: string; password?: string }

/** A parsed address. Hosts are tried in order; a host that starts with `/` is the directory of a Unix socket. */
export interface Address extends Encryption {
  hosts: { host: string; port: number }[]
  user?: string | undefined
  password?: string | undefined
  database?: string | undefined
  /** Server options for each session, as `-c name=value`. */
  options?: string | undefined
  /** `application_name`, which administrators see in pg_stat_activity. */
  application?: string | undefined
  connectWithinMs?: number | undefined
  /** Whether only a server that accepts writes is used. */
  needsWrites: boolean
}

export function parseTarget(target: Target): Address {
  if (typeof target === 'string') return parseAddress(target)
  const { host, port, username: user, ...login } = target
  return { ...login, user, hosts: [{ host, port }], ...PLAIN, needsWrites: false }
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
    ...parseEncryption(parameters),
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

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(
      'The address contains a % that is not followed by two hexadecimal digits. Write %25 for a percent sign.',
    )
  }
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
