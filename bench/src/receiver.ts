import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Accepts every POST. `GET /` returns and clears the arrivals: when each came, and the creation time in its body. `GET /headers` returns
 * the headers of the last POST.
 */
let arrivals: { at: number; since: number }[] = []
let lastHeaders: object = {}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const isForHeaders = request.url === '/headers'
    response.end(JSON.stringify(isForHeaders ? lastHeaders : arrivals))
    if (!isForHeaders) arrivals = []
    return
  }
  lastHeaders = request.headers
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now()
    const { createdAt } = JSON.parse(Buffer.concat(chunks).toString()) as { createdAt: string }
    arrivals.push({ at, since: Date.parse(createdAt) })
    response.end()
  })
})
const silent = createServer(() => {})
silent.listen(0, '127.0.0.1', () =>
  // On all loopback addresses, so that one process can act as many receivers.
  server.listen(0, '0.0.0.0', () => {
    const [{ port }, { port: hangs }] = [server.address() as AddressInfo, silent.address() as AddressInfo]
    process.stdout.write(`${JSON.stringify({ port, hangs })}\n`)
  }),
)
