/**
 * A prototype tuned by hand on Fastify and pg, without our features: bodies are checked by compiled schemas, an order is one row with
 * its answer as text, statements are prepared, and totals are kept in one row per company by a trigger-free counter. It has no
 * encryption, matching, events, notifications, rate limits or audit, and one tenant.
 */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import pg from 'pg'

const { DATABASE_URL: connectionString, TENANT: tenant = '', COMPANY: company = '', SECRET: secret = '' } = process.env
const pool = new pg.Pool({ connectionString, max: 20 })
const JSON_TYPE = 'application/json; charset=utf-8'

await pool.query(`
  create table if not exists tuned_orders (tenant_id text, id text, company_id text, answer text, primary key (tenant_id, id));
  create index if not exists tuned_orders_of_company on tuned_orders (tenant_id, company_id, id desc);
  create table if not exists tuned_totals (tenant_id text, company_id text, shard int, n bigint, primary key (tenant_id, company_id, shard));
  insert into tuned_totals select '${tenant}', '${company}', shard, 0 from generate_series(0, 15) as shard on conflict do nothing;
`)

const text = { type: 'string', minLength: 1, maxLength: 200 } as const
const named = { type: 'object', required: ['id'], properties: { id: text } } as const
const person = {
  type: 'object',
  required: ['firstName', 'lastName', 'email'],
  properties: {
    firstName: text,
    lastName: text,
    email: text,
    phone: text,
    birthDate: text,
    address: { type: 'object' },
  },
} as const
const body = {
  type: 'object',
  required: ['deliveryMethods', 'location', 'package', 'participant', 'requester', 'settings', 'testReason'],
  properties: {
    deliveryMethods: { type: 'array', minItems: 1, items: { type: 'object' } },
    location: named,
    package: named,
    participant: person,
    requester: person,
    settings: { type: 'object' },
    testReason: text,
  },
} as const

interface CreateBody {
  location: { id: string }
  package: { id: string }
  participant: object
  testReason: string
}

const SERVICES = ['urine', 'hair', 'breath']
const READ = 'select answer from tuned_orders where tenant_id = $1 and company_id = $2 and id = $3'
const LIST = `select answer from tuned_orders where tenant_id = $1 and company_id = $2 order by id desc limit $3 offset $4`
const TOTAL = 'select sum(n)::int as n from tuned_totals where tenant_id = $1 and company_id = $2'
const INSERT = `
  with counted as (update tuned_totals set n = n + 1 where tenant_id = $1 and company_id = $3 and shard = $5)
  insert into tuned_orders values ($1, $2, $3, $4)`

const app = fastify()
app.addHook('onRequest', (request, reply, done) => {
  if (request.headers.authorization === `Bearer ${secret}`) done()
  else void reply.code(401).send({ error: 'Unauthorized' })
})
app.get<{ Params: { id: string } }>('/orders/:id', async (request, reply) => {
  const { rows } = await pool.query({ name: 'read', text: READ, values: [tenant, company, request.params.id] })
  return rows[0] ? reply.type(JSON_TYPE).send(rows[0].answer) : reply.code(404).send({ error: 'Not Found' })
})
app.get<{ Querystring: { page?: string } }>('/orders', async (request, reply) => {
  const offset = (Number(request.query.page ?? 1) - 1) * 20
  const [{ rows }, total] = await Promise.all([
    pool.query<{ answer: string }>({ name: 'list', text: LIST, values: [tenant, company, 20, offset] }),
    pool.query<{ n: number }>({ name: 'total', text: TOTAL, values: [tenant, company] }),
  ])
  return reply.type(JSON_TYPE).send(`{"data":[${rows.map(({ answer }) => answer).join()}],"total":${total.rows[0]!.n}}`)
})
let shard = 0
app.post<{ Body: CreateBody }>('/orders', { schema: { body } }, async (request, reply) => {
  const at = new Date()
  const id = `ord_${at.getTime().toString(36)}${randomBytes(8).toString('hex')}`
  const { location, package: ordered, participant, testReason } = request.body
  const answer = JSON.stringify({
    id,
    code: randomBytes(4).toString('hex'),
    object: 'order',
    url: `/orders/${id}`,
    createdAt: at,
    status: 'ordered',
    testReason,
    company: { id: company },
    location,
    packages: [ordered],
    participant,
    services: SERVICES.map((name, i) => ({
      id: `${id}_${i}`,
      name,
      status: 'ordered',
      statusHistory: [{ status: 'ordered', at }],
    })),
  })
  shard = (shard + 1) % 16
  await pool.query({ name: 'insert', text: INSERT, values: [tenant, id, company, answer, shard] })
  return reply.code(201).type(JSON_TYPE).send(answer)
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify(app.server.address() as AddressInfo)}\n`)
