import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Target } from '../../src/store/db/address.ts'

/** A way to the database that can be cut and mended again. */
export interface Way {
  target: Target
  cut(): Promise<void>
  mend(): Promise<void>
}

/** Leads over a port of our own to the database at the target. */
export async function wayTo(target: Target): Promise<Way> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(reach(target))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
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
        for (const socket of sockets) socket.destroy()
      }),
    mend: () => listen(port),
  }
}

function reach(target: Target): { path: string } | { host: string; port: number } {
  if (typeof target === 'string') {
    const { hostname, port, searchParams } = new URL(target)
    return reachHost(searchParams.get('host') ?? hostname, Number(port || 5432))
  }
  return reachHost(target.host, target.port)
}

/** A host that is a folder holds the socket of the server. */
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
