import { createServer, type ServerResponse } from 'node:http'
import { connect } from '@order-testing/service/store/db/pool'

/**
 * The limit to measure against: Node's own server, answering bytes that it was given at its start, head and body, or a
 * body that it reads, as plain text, by the one prepared statement which finds an order by its id.
 */
interface Ready {
  headers: string[]
  body: Buffer
}

const answers = JSON.parse(process.env['ANSWERS'] ?? '{}') as Record<string, { headers: string[]; body: string }>
const ready = new Map(
  Object.entries(answers).map(([path, { headers, body }]) => [path, { headers, body: Buffer.from(body) }]),
)
const pool = process.env['DATABASE_URL'] === undefined ? undefined : connect(process.env['DATABASE_URL'])
const JSON_TYPE = ['content-type', 'application/json; charset=utf-8']
const tenant = process.env['TENANT'] ?? ''

const server = createServer((request, response) => {
  const known = ready.get(request.url ?? '')
  if (known || !pool) return send(response, known)
  void pool<
    { head: string }[]
  >`select head from ready_heads where tenant_id = ${tenant} and id = ${request.url!.slice(1)}`.then(([row]) =>
    send(response, row && { headers: JSON_TYPE, body: Buffer.from(row.head) }),
  )
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify(server.address())}\n`))

function send(response: ServerResponse, answer: Ready | undefined): void {
  const { headers, body } = answer ?? { headers: JSON_TYPE, body: Buffer.alloc(0) }
  response.writeHead(answer ? 200 : 404, [...headers, 'content-length', String(body.length)])
  response.end(body)
}
