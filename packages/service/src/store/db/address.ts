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
  ssl: ConnectionOptions | false
  /** Only a server that takes writes will do. */
  needsWrites: boolean
}

/** An address that cannot be used, with a sentence that says why. */
export class AddressRefusal extends Error {}

export function parseTarget(target: Target): Address {
  if (typeof target === 'string') return parseAddress(target)
  const { host, port, database, username, password } = target
  return { hosts: [{ host, port }], user: username, password, database, ssl: false, needsWrites: false }
}

const SHAPE = /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

/** Reads `postgres://user:password@host:port,host:port/database?parameters`, which `URL` cannot when it names several hosts. */
export function parseAddress(text: string): Address {
  const [, login = '', hostList = '', database = '', query = ''] =
    SHAPE.exec(text) ?? refuse('Expected an address such as postgres://user@host/database.')
  const parameters = new URLSearchParams(query)
  const [user, ...password] = login.split(':')
  return {
    hosts: parseHosts(decode(hostList), parameters),
    user: decode(user!) || (parameters.get('user') ?? undefined),
    password: decode(password.join(':')) || (parameters.get('password') ?? undefined),
    database: decode(database) || (parameters.get('dbname') ?? undefined),
    ssl: parseSsl(parameters),
    needsWrites: parseAttributes(parameters.get('target_session_attrs') ?? 'any'),
  }
}

/** Hosts of the address; those in the query replace them, since that is how libpq spells a socket's folder. */
function parseHosts(list: string, parameters: URLSearchParams): Address['hosts'] {
  const inQuery = parameters.get('host')
  const ports = (parameters.get('port') ?? '').split(',')
  return (inQuery ?? list).split(',').map((each, i) => {
    const [, v6, name, written] =
      /^(?:\[(.+)\]|([^:]*))(?::(\d*))?$/.exec(each) ?? refuse(`The host "${each}" cannot be read.`)
    const fromList = inQuery === null ? undefined : /:(\d+)$/.exec(list.split(',')[i] ?? '')?.[1]
    const port = Number(written || fromList || (ports[i] ?? ports[0]) || 5432)
    if (port < 1 || port > 65_535) refuse(`The port of "${each}" is not between 1 and 65535.`)
    return { host: v6 ?? (name || 'localhost'), port }
  })
}

function parseAttributes(wanted: string): boolean {
  if (wanted === 'any') return false
  if (wanted === 'read-write' || wanted === 'primary') return true
  return refuse(
    `target_session_attrs=${wanted} cannot be used: the service needs a server that takes writes (read-write).`,
  )
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** As libpq reads them: `require` encrypts, `verify-ca` also checks who signed, `verify-full` also checks the name. */
function parseSsl(parameters: URLSearchParams): ConnectionOptions | false {
  const mode = parameters.get('sslmode') ?? (parameters.has('sslrootcert') ? 'verify-full' : 'disable')
  if (!SSL_MODES.includes(mode)) refuse(`sslmode=${mode} is unknown. Use one of ${SSL_MODES.join(', ')}.`)
  if (mode === 'disable' || mode === 'allow' || mode === 'prefer') return false
  const ca = readNamed(parameters, 'sslrootcert')
  const verifies = mode !== 'require' || ca !== undefined
  return {
    ...(ca && { ca }),
    cert: readNamed(parameters, 'sslcert'),
    key: readNamed(parameters, 'sslkey'),
    rejectUnauthorized: verifies,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  }
}

function readNamed(parameters: URLSearchParams, name: string): string | undefined {
  const path = parameters.get(name)
  if (path === null || path === 'system') return undefined
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

/** The address as people may see it: without user, password and what else might be secret. */
export function printableAddress(text: string): string {
  const [, login, hosts = '', database = '', query = ''] = SHAPE.exec(text) ?? []
  const shown = [...new URLSearchParams(query)].filter(([name]) =>
    ['host', 'sslmode', 'target_session_attrs'].includes(name),
  )
  const parameters = shown.map(([name, value]) => `${name}=${value}`).join('&')
  return `postgres://${login === undefined ? '' : '***@'}${hosts}${database && `/${database}`}${parameters && `?${parameters}`}`
}
