import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectTcp, isIP, isIPv4, isIPv6, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { whySpecial } from '../domain/webhooks/address-ranges.ts'
import type { FailureClass } from '../domain/webhooks/retry.ts'

export interface DialOptions {
  /** CIDR ranges that may be dialled in addition to public addresses. */
  allow: readonly string[]
  /** How long an attempt may take in total; each address gets a share of it. */
  timeoutMs: number
  resolve?: Resolve
  /** Certificates to trust instead of the system's. */
  ca?: string
}

/** Returns every address of a name, allowed or not. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

export class AttemptFailure extends Error {
  readonly failure: FailureClass
  constructor(failure: FailureClass, message: string) {
    super(message)
    this.failure = failure
  }
}

const USUAL_PORT: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** Keeps a name with many addresses from making us scan a network. */
const MAX_ADDRESSES = 4

/**
 * Connects to the address that was checked, whether it is a literal or was resolved for this connection. Forbidden
 * addresses of a name are skipped rather than the whole name refused, because DNS64 adds such addresses to public names.
 */
export async function dial(url: URL, options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const { port, protocol } = url
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await findAddresses(hostname, options.resolve ?? resolveName, signal)
  const allowed = addresses.filter((address) => whySpecial(address, options.allow) === null)
  if (allowed.length === 0) {
    const ranges = [...new Set(addresses.map((address) => whySpecial(address, options.allow)))].join(', ')
    throw new AttemptFailure('forbiddenAddress', `Deliveries may not reach this kind of address (${ranges}).`)
  }
  const socket = await connectToFirst(alternateFamilies(allowed).slice(0, MAX_ADDRESSES), {
    port: port === '' ? USUAL_PORT[protocol]! : Number(port),
    timeoutMs: options.timeoutMs,
    signal,
  })
  return protocol === 'https:' ? secure(socket, hostname, options.ca) : socket
}

async function findAddresses(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (isIP(hostname)) return [hostname]
  // RFC 6761: these names mean the loopback and are never sent to a name server.
  if (/(^|\.)localhost\.*$/i.test(hostname)) return ['127.0.0.1', '::1']
  const addresses = await resolve(hostname, signal).catch((error: unknown) => {
    throw new AttemptFailure('dns', `Failed to resolve the host name (${codeOf(error)}).`)
  })
  if (addresses.length === 0) throw new AttemptFailure('dns', 'The host name has no address.')
  return addresses
}

/** An address that does not respond gets only a share of the time, so that the next one can be tried. */
async function connectToFirst(
  addresses: string[],
  { port, timeoutMs, signal }: { port: number; timeoutMs: number; signal: AbortSignal },
): Promise<Socket> {
  const failures: string[] = []
  for (const [i, address] of addresses.entries()) {
    signal.throwIfAborted()
    const socket = connectTcp({ host: address, port, noDelay: true, signal }).on('error', ignore)
    const isLast = i === addresses.length - 1
    const share = isLast ? undefined : setTimeout(() => socket.destroy(SILENT), timeoutMs / addresses.length)
    const failure = await once(socket, 'connect').then(() => null, codeOf)
    clearTimeout(share)
    const remote = socket.remoteAddress
    if (failure === null && remote !== undefined) return checkPeer(address, socket, remote)
    failures.push(`${address}: ${failure ?? 'ECONNRESET'}`)
  }
  throw new AttemptFailure('connect', `Failed to connect (${failures.join('; ')}).`)
}

const SILENT = Object.assign(new Error('The address does not respond.'), { code: 'ETIMEDOUT' })

/** Nothing is written unless the peer is the address that was checked. */
function checkPeer(address: string, socket: Socket, remote: string): Socket {
  if (ipaddr.parse(remote).toNormalizedString() === ipaddr.parse(address).toNormalizedString()) return socket
  socket.destroy()
  throw new AttemptFailure('forbiddenAddress', 'The connection reached a different address than the one dialled.')
}

/** The certificate must match the host name, not the address. */
async function secure(socket: Socket, hostname: string, ca: string | undefined): Promise<Socket> {
  const secured = connectTls({
    socket,
    host: hostname,
    servername: isIP(hostname) ? '' : hostname.replace(/\.$/, ''),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  }).on('error', ignore)
  try {
    await once(secured, 'secureConnect')
  } catch (error) {
    socket.destroy()
    throw new AttemptFailure('tls', `TLS handshake failed (${codeOf(error)}).`)
  }
  return secured
}

/** Alternates IPv4 and IPv6, so that an unreachable family does not use up all tries. */
function alternateFamilies(addresses: string[]): string[] {
  const [four, six] = [addresses.filter(isIPv4), addresses.filter(isIPv6)]
  return addresses.flatMap((_, i) => [...four.slice(i, i + 1), ...six.slice(i, i + 1)])
}

/**
 * Queries name servers without a thread-pool thread, so that a slow server delays nothing else. The system's resolver is
 * the fallback for unknown names, which may be in the hosts file or need a search domain, but not after a timeout.
 */
export function resolveThrough(resolver: Resolver): Resolve {
  return async (name, signal) => {
    try {
      return await resolveEitherFamily(resolver.resolve4(name), resolver.resolve6(name))
    } catch (error) {
      if (!UNKNOWN_TO_DNS.has(codeOf(error))) throw error
      const found = await withSystemThread(() => lookup(name, { all: true }), signal)
      return found.map(({ address }) => address)
    }
  }
}

const resolveName = resolveThrough(new Resolver({ timeout: 3_000, tries: 2 }))

const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ECONNREFUSED'])

/** Some name servers drop queries for a family they do not know: once one query is answered, the other gets 50 ms more. */
async function resolveEitherFamily(...queries: Promise<string[]>[]): Promise<string[]> {
  await Promise.any(queries).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => !UNKNOWN_TO_DNS.has(codeOf(error))) ?? errors[0]
  })
  const late = sleep(OTHER_FAMILY_MS, [])
  const found = await Promise.all(queries.map((query) => Promise.race([query.catch(() => []), late])))
  return found.flat()
}

const OTHER_FAMILY_MS = 50

let freeSystemThreads = 2
const waiting: (() => void)[] = []

/** The system's resolver blocks one of the process's few thread-pool threads, so it gets at most two. */
async function withSystemThread<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (freeSystemThreads > 0) freeSystemThreads -= 1
  else await new Promise<void>((proceed) => waiting.push(proceed))
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else freeSystemThreads += 1
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message ?? 'unknown'
}

/** The caller receives the error; without a listener it would also crash the process. */
function ignore(): void {}
