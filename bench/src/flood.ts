import { Agent, request } from 'node:http'
import { orderBody } from './world.ts'

/** Clients that create orders without a pause; prints the counts at the end. */
const url = process.env['URL']!
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const counts = { created: 0, refused: 0, failed: 0, seconds: 0 }
const headers = { authorization: process.env['TOKEN']!, 'content-type': 'application/json' }
const started = performance.now()

function create(): void {
  const post = request(url, { method: 'POST', agent, headers }, (response) => {
    response.resume()
    if (response.statusCode === 201) counts.created++
    else if (response.statusCode === 503) counts.refused++
    else counts.failed++
    response.on('end', create)
  })
  post.on('error', () => {
    counts.failed++
    setTimeout(create, 100)
  })
  post.end(orderBody('fresh'))
}
for (let client = 0; client < Number(process.env['CLIENTS']); client++) create()
process.stdout.write('creating\n')

process.once('SIGTERM', () => {
  counts.seconds = (performance.now() - started) / 1000
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})
