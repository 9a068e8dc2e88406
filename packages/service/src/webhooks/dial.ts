import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { connect as connectTcp, isIP, isIPv4, isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { whySpecial } from '../domain/webhooks/address-ranges.ts'
import type { FailureClass } from '../domain/webhooks/retry.ts'

export interface DialOptions {
  /** CIDR ranges that may be dialled besides public ones. */
  allow: readonly string[]
  /** How long an attempt may take in all, of which each address gets its share. */
  timeoutMs: number
  resolve?: Resolve
  /** Certificates to trust instead of those of the system. */
  ca?: string
}

/** Every address of a name, allowed or not. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>

/** As undici names its parts: an IPv6 literal has lost its brackets. */
export interface Target {
  hostname: string
  protocol: string
  port: string
}

/** Ends an attempt, and tells how. */
export class AttemptFailure extends Error {
  readonly failure: FailureClass
  constructor(failure: FailureClass, message: string) {
    super(message)
    this.failure = failure
  }
}

const USUAL_PORT: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** So few, that one name cannot have us knock at a whole network. */
const MOST_ADDRESSES = 4

/**
 * Connects to the very address that was checked, be it written in the URL or looked up for this connection.
 * Of a name's addresses the forbidden ones are passed over: DNS64 adds such addresses to every name, so that
 * to refuse the whole name would refuse public ones.
 */
export async function dial(target: Target, options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const { hostname, port, protocol } = target
  const addresses = await addressesOf(hostname, options.resolve ?? lookUp, signal)
  const allowed = addresses.filter((address) => whySpecial(address, options.allow) === null)
  if (allowed.length === 0) {
    const what = [...new Set(addresses.map((address) => whySpecial(address, options.allow)))].join(', ')
    throw new AttemptFailure('forbiddenAddress', `Deliveries may not reach this kind of address (${what}).`)
  }
  const socket = await firstThatConnects(alternating(allowed).slice(0, MOST_ADDRESSES), {
    port: port === '' ? USUAL_PORT[protocol]! : Number(port),
    timeoutMs: options.timeoutMs,
    signal,
  })
  return protocol === 'https:' ? secure(socket, hostname, options.ca) : socket
}

async function addressesOf(hostname: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  if (isIP(hostname)) return [hostname]
  // RFC 6761: these mean the loopback and are never asked of a name server.
  if (/(^|\.)localhost\.*$/i.test(hostname)) return ['127.0.0.1', '::1']
  const addresses = await resolve(hostname, signal).catch((error: unknown) => {
    throw new AttemptFailure('dns', `The name was not found (${codeOf(error)}).`)
  })
  if (addresses.length === 0) throw new AttemptFailure('dns', 'The name has no address.')
  return addresses
}

/** An address that stays silent gets no more than its share of the time, so that the next one is heard too. */
async function firstThatConnects(
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
    if (failure === null && remote !== undefined) return onlyTo(address, socket, remote)
    failures.push(`${address}: ${failure ?? 'ECONNRESET'}`)
  }
  throw new AttemptFailure('connect', `No connection (${failures.join('; ')}).`)
}

const SILENT = Object.assign(new Error('The address does not answer.'), { code: 'ETIMEDOUT' })

/** Whatever the system made of the address, nothing is written to another one. */
function onlyTo(address: string, socket: Socket, remote: string): Socket {
  if (ipaddr.parse(remote).toNormalizedString() === ipaddr.parse(address).toNormalizedString()) return socket
  socket.destroy()
  throw new AttemptFailure('forbiddenAddress', 'The connection led to another address than was dialled.')
}

/** The name, not the address, is what the certificate must be for. */
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
    throw new AttemptFailure('tls', `No secure connection (${codeOf(error)}).`)
  }
  return secured
}

/** Both families by turns, so that one that leads nowhere does not use up all tries. */
function alternating(addresses: string[]): string[] {
  const [four, six] = [addresses.filter(isIPv4), addresses.filter(isIPv6)]
  return addresses.flatMap((_, i) => [...four.slice(i, i + 1), ...six.slice(i, i + 1)])
}

/**
 * Asks the name servers without a thread of the pool, so that a slow one keeps nobody else waiting. What they do not
 * know may stand in the hosts file or need a search domain; a server that hangs is not asked twice.
 */
export function resolveThrough(resolver: Resolver): Resolve {
  return async (name, signal) => {
    try {
      return await eitherFamily(resolver.resolve4(name), resolver.resolve6(name))
    } catch (error) {
      if (!UNKNOWN_TO_DNS.has(codeOf(error))) throw error
      const found = await withSystemThread(() => lookup(name, { all: true }), signal)
      return found.map(({ address }) => address)
    }
  }
}

const lookUp = resolveThrough(new Resolver({ timeout: 3_000, tries: 2 }))

const UNKNOWN_TO_DNS = new Set(['ENOTFOUND', 'ENODATA', 'EREFUSED', 'ECONNREFUSED'])

/** Some name servers drop questions about a family they do not know: once one is answered the other gets a moment more. */
function eitherFamily(...questions: Promise<string[]>[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const found: string[] = []
    const failures: unknown[] = []
    let open = questions.length
    const end = () => {
      if (found.length > 0) resolve([...found])
      else reject(failures.find((error) => !UNKNOWN_TO_DNS.has(codeOf(error))) ?? failures[0])
    }
    const settled = () => {
      open -= 1
      if (open === 0) end()
      else if (found.length > 0) setTimeout(end, OTHER_FAMILY_MS)
    }
    for (const question of questions) {
      question
        .then(
          (addresses) => found.push(...addresses),
          (error) => failures.push(error),
        )
        .then(settled, reject)
    }
  })
}

const OTHER_FAMILY_MS = 50

let freeSystemThreads = 2
const waiting: (() => void)[] = []

/** The system's own look-up holds one of the process's few threads for as long as it takes. */
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

/** The caller receives the error; without a listener here it would end the process. */
function ignore(): void {}
