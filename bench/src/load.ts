import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = 'content-length: '

/**
 * Requests a second that a server answers over some kept-open connections, one request at a time on each.
 * It reads no more of an answer than where it ends, so that what is measured is the server and not the one who asks.
 */
export async function rateOf(
  url: string,
  options: { headers: Record<string, string>; connections: number; seconds: number },
): Promise<number> {
  const { hostname, port, host, pathname, search } = new URL(url)
  const lines = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`)
  const until = performance.now() + options.seconds * 1000
  const started = performance.now()
  const counts = await Promise.all(
    Array.from({ length: options.connections }, () => askUntil({ hostname, port: Number(port), request, until })),
  )
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - started) / 1000)
}

function askUntil(asked: { hostname: string; port: number; request: Buffer; until: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let pending: Buffer = Buffer.alloc(0)
    const socket = connect({ host: asked.hostname, port: asked.port, noDelay: true }, () => socket.write(asked.request))
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      const end = endOfAnswer(pending)
      if (end === undefined || pending.length < end) return
      if (!pending.subarray(0, 12).equals(OK)) reject(new Error(pending.subarray(0, end).toString()))
      pending = pending.subarray(end)
      count++
      if (performance.now() < asked.until) socket.write(asked.request)
      else socket.end(() => resolve(count))
    })
  })
}

const OK = Buffer.from('HTTP/1.1 200')

/** Where the first answer ends; undefined while its head is not whole. */
function endOfAnswer(bytes: Buffer): number | undefined {
  const head = bytes.indexOf(HEAD_END)
  if (head === -1) return undefined
  const at = bytes.indexOf(LENGTH)
  if (at === -1 || at > head) throw new Error('An answer without a content-length.')
  return (
    head +
    HEAD_END.length +
    Number.parseInt(bytes.subarray(at + LENGTH.length, at + LENGTH.length + 10).toString('latin1'), 10)
  )
}
