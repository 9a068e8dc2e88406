import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Takes every POST, and tells at `GET /` how many came, when, and since when they had been due by their body's word. */
let arrivals: { at: number; since: number }[] = []

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(arrivals))
    arrivals = []
    return
  }
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now()
    const { createdAt } = JSON.parse(Buffer.concat(chunks).toString()) as { createdAt: string }
    arrivals.push({ at, since: Date.parse(createdAt) })
    response.end()
  })
})
/** Answers nobody. */
const silent = createServer(() => {})
silent.listen(0, '127.0.0.1', () =>
  // On every address of this machine, so that one process can be many receivers.
  server.listen(0, '0.0.0.0', () => {
    const [{ port }, { port: hangs }] = [server.address() as AddressInfo, silent.address() as AddressInfo]
    process.stdout.write(`${JSON.stringify({ port, hangs })}\n`)
  }),
)
