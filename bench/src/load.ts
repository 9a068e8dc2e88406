import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = 'content-length: '

export interface Load {
  headers: Record<string, string>
  connections: number
  seconds: number
  method?: string
  /** Makes the body of each request. */
  body?: () => string
  /** Path suffixes, used in turn. */
  suffixes?: string[]
}

/**
 * Measures requests per second over keep-alive connections, one request at a time on each. Only finds where each response
 * ends, so that the server is measured and not the client.
 */
export async function measureRate(url: string, load: Load): Promise<number> {
  const { hostname, port } = new URL(url)
  const next = makeRequests(url, load)
  const started = performance.now()
  const until = started + load.seconds * 1000
  const counts = await Promise.all(
    Array.from({ length: load.connections }, () => requestUntil({ hostname, port: Number(port), next, until })),
  )
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000)
}

/** Returns a function that makes the bytes of the next request; reuses them if there is no body. */
function makeRequests(url: string, { headers, method = 'GET', body, suffixes = [''] }: Load): () => Buffer {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const heads = suffixes.map(
    (suffix) => `${method} ${pathname}${suffix}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}`,
  )
  const ready = heads.map((head) => Buffer.from(`${head}\r\n`))
  let turn = 0
  if (!body) return () => ready[turn++ % ready.length]!
  const head = heads[0]!
  return () => {
    const text = body()
    return Buffer.from(
      `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  }
}

interface Connection {
  hostname: string
  port: number
  next: () => Buffer
  until: number
}

function requestUntil({ hostname, port, next, until }: Connection): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let pending: Buffer = Buffer.alloc(0)
    const socket = connect({ host: hostname, port, noDelay: true }, () => socket.write(next()))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = findEnd(pending)
      if (end === undefined || pending.length < end) return
      if (!pending.subarray(0, SUCCESS.length).equals(SUCCESS)) {
        reject(new Error(pending.subarray(0, end).toString()))
        return
      }
      pending = pending.subarray(end)
      count++
      if (performance.now() < until) socket.write(next())
      else socket.end(() => resolve(count))
    })
  })
}

const SUCCESS = Buffer.from('HTTP/1.1 20')

/** The end of the first response; undefined while its headers are incomplete. */
function findEnd(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(HEAD_END)
  if (head === -1) return undefined
  const at = bytes.indexOf(LENGTH)
  if (at === -1 || at > head) throw new Error('A response without a content-length.')
  return (
    head +
    HEAD_END.length +
    Number.parseInt(bytes.subarray(at + LENGTH.length, at + LENGTH.length + 10).toString('latin1'), 10)
  )
}
