import { createServer, type ServerResponse } from 'node:http'
import { connect } from '@order-testing/service/store/db/pool'

/**
 * The limit for reads: Node's own server, which responds with bytes given at its start, or with a plain text body that it reads
 * by id with one prepared statement.
 */
interface FixedResponse {
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

function send(response: ServerResponse, fixed: FixedResponse | undefined): void {
  const { headers, body } = fixed ?? { headers: JSON_TYPE, body: Buffer.alloc(0) }
  response.writeHead(fixed ? 200 : 404, [...headers, 'content-length', String(body.length)])
  response.end(body)
}
