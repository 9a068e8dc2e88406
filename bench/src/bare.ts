import { createServer } from 'node:http'

/** The limit to measure against: Node's own server, answering bytes that it was given at its start. */
const bodies = JSON.parse(process.env['BODIES'] ?? '{}') as Record<string, string>
const ready = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]))

const server = createServer((request, response) => {
  const body = ready.get(request.url ?? '')
  response.writeHead(body ? 200 : 404, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body?.length ?? 0,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`))
