import { createServer, type ServerResponse } from 'node:http'
import { connect } from '@order-testing/service/store/database'

/**
 * The limit to measure against: Node's own server, answering bytes that it was given at its start, or that it reads by
 * the one prepared statement which finds an order by its id.
 */
const bodies = JSON.parse(process.env['BODIES'] ?? '{}') as Record<string, string>
const ready = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]))
const pool = process.env['DATABASE_URL'] === undefined ? undefined : connect(process.env['DATABASE_URL'])
const tenant = process.env['TENANT'] ?? ''

const server = createServer((request, response) => {
  const known = ready.get(request.url ?? '')
  if (known || !pool) return send(response, known)
  void pool<
    { head: string }[]
  >`select head from orders where tenant_id = ${tenant} and id = ${request.url!.slice(1)}`.then(([row]) =>
    send(response, row && Buffer.from(row.head)),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`))

function send(response: ServerResponse, body: Buffer | undefined): void {
  response.writeHead(body ? 200 : 404, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body?.length ?? 0,
  })
  response.end(body)
}
