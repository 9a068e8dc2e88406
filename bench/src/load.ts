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
    /** The begun head of a response; of its body, only the length is kept. */
    let head = NOTHING
    let bytesLeft = 0
    const read = (chunk: Buffer): void => {
      if (bytesLeft > 0) {
        bytesLeft -= chunk.length
      } else {
        const begun = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = findEnd(begun)
        if (end === undefined) {
          head = Buffer.from(begun)
          return
        }
        if (!begun.subarray(0, SUCCESS.length).equals(SUCCESS)) return reject(new Error(begun.toString()))
        bytesLeft = end - begun.length
        head = NOTHING
      }
      if (bytesLeft < 0) return reject(new Error('More than one response to a request.'))
      if (bytesLeft > 0) return
      count++
      if (performance.now() < until) socket.write(next())
      else socket.end(() => resolve(count))
    }
    const onread = { buffer: INPUT, callback: (length: number) => (read(INPUT.subarray(0, length)), true) }
    const socket = connect({ host: hostname, port, noDelay: true, onread }, () => socket.write(next()))
    socket.on('error', reject)
  })
}

/** For all connections in turn: a buffer for each response would keep the client busy collecting them. */
const INPUT = Buffer.alloc(256 * 1024)
const NOTHING: Buffer = Buffer.alloc(0)
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
