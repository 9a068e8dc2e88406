import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Target } from '../../src/store/db/address.ts'

/** A proxy to the database that simulates network faults. */
export interface Way {
  target: Target
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Resets all connections; new ones work. */
  reset(): void
  /** Delays everything by this many milliseconds; 0 ends the delay. */
  delay(ms: number): void
  /** Accepts connections and data but forwards nothing until `clear`. */
  swallow(): void
  /** Forwards again. Dropped data and the connections that lost it stay lost. */
  clear(): void
  /** Silently drops all data on the open connections; new ones work. */
  forget(): void
}

interface Pair {
  near: Socket
  far: Socket
  isForgotten: boolean
}

/** Starts a proxy on a free port. */
export async function wayTo(target: Target): Promise<Way> {
  const pairs = new Set<Pair>()
  let isSwallowing = false
  let delayMs = 0
  const forwarding = (pair: Pair, to: Socket) => {
    let last = Promise.resolve()
    return (chunk: Buffer) => {
      if (isSwallowing) pair.isForgotten = true
      if (pair.isForgotten) return
      const dueAt = performance.now() + delayMs
      // Keeps the order when the delay changes.
      last = last.then(async () => {
        const wait = dueAt - performance.now()
        if (wait > 0) await sleep(wait)
        if (!to.destroyed) to.write(chunk)
      })
    }
  }
  const server = createServer((near) => {
    const pair: Pair = { near, far: connect(reach(target)), isForgotten: isSwallowing }
    pairs.add(pair)
    for (const [from, to] of [
      [near, pair.far],
      [pair.far, near],
    ] as const) {
      from.on('data', forwarding(pair, to))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    target: through(target, port),
    cut: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy()
      }),
    mend: () => listen(port),
    reset: () => {
      for (const { near } of pairs) near.resetAndDestroy()
    },
    delay: (ms) => (delayMs = ms),
    swallow: () => {
      isSwallowing = true
      for (const pair of pairs) pair.isForgotten = true
    },
    clear: () => (isSwallowing = false),
    forget: () => {
      for (const pair of pairs) pair.isForgotten = true
    },
  }
}

function reach(target: Target): { path: string } | { host: string; port: number } {
  if (typeof target === 'string') {
    const { hostname, port, searchParams } = new URL(target)
    return reachHost(searchParams.get('host') ?? hostname, Number(port || 5432))
  }
  return reachHost(target.host, target.port)
}

/** A host that is a path is the directory of the server's socket. */
function reachHost(host: string, port: number): { path: string } | { host: string; port: number } {
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
}

function through(target: Target, port: number): Target {
  if (typeof target !== 'string') return { ...target, host: '127.0.0.1', port }
  const url = new URL(target)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
