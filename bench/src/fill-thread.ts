import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import { workerData } from 'node:worker_threads'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { composeView } from '@order-testing/service/domain/orders/view'
import { blockingKeysOf } from '@order-testing/service/operations/matching/match'
import { connect } from '@order-testing/service/store/db/pool'
import { orders } from '@order-testing/service/store/orders/orders'
import { sealOrder } from '@order-testing/service/store/orders/rows'
import { columnsOfOrder } from '@order-testing/service/store/orders/writing'
import { Keyring } from '@order-testing/service/store/sealing/keyring'
import { doJobs } from '@order-testing/service/threads/side-thread'
import type { FillRange } from './fill.ts'
import { madeOrder, type Order } from './made-orders.ts'
import { KEY, TENANT } from './world.ts'

/** What all shares of the orders have in common, which this thread copies one after the other. */
interface Work {
  databaseUrl: string
  /** The order that all are copies of, with another person, company and time. */
  template: string
  total: number
}

const { databaseUrl, template, total } = workerData as Work
const keyring = new Keyring([KEY])

/** Rows that are written at a time: the stream would write each one on its own. */
const ROWS = 50

const COLUMNS = {
  tenant_id: 'tenantId',
  id: 'id',
  code: 'code',
  company_id: 'companyId',
  location_id: 'locationId',
  created_at: 'createdAt',
  external_key: 'externalKey',
  status: 'status',
  updated_at: 'updatedAt',
  expires_at: 'expiresAt',
  due_at: 'dueAt',
  awaited_clinic_id: 'awaitedClinicId',
  appointment_at: 'appointmentAt',
  specimen_keys: 'specimenKeys',
  blocking_keys: 'blockingKeys',
  search_keys: 'searchKeys',
  search_codes: 'searchCodes',
  requester_key: 'requesterKey',
} as const

const copied = await readTemplate()
const client = new Client(databaseUrl)
await client.connect()
await client.query('set statement_timeout = 0')
const names = [...Object.keys(COLUMNS), 'sealed_answer']
const COPY = `copy orders (${names.join(', ')}) from stdin`

doJobs<FillRange, void>(async (share) => {
  await pipeline(Readable.from(lines(share)), client.query(copyFrom(COPY)))
  return { done: undefined }
})

async function readTemplate(): Promise<Order> {
  const pool = connect(databaseUrl, { max: 1 })
  const order = await orders(pool, keyring).find(TENANT, template)
  await pool.end()
  if (!order) throw new Error('Order not found.')
  return order
}

function* lines({ from, to }: FillRange): Generator<string> {
  for (let start = from; start < to; start += ROWS) {
    let text = ''
    for (let n = start; n < Math.min(start + ROWS, to); n++) text += lineOf(madeOrder(copied, n, total))
    yield text
  }
}

function lineOf(order: Order): string {
  const row = columnsOfOrder(keyring, { tenantId: TENANT, order, blockingKeys: blockingKeysOf(order) })
  const sealed = sealOrder(keyring, TENANT, order, composeView(order))
  const cells = Object.values(COLUMNS).map((name) => cellOf(row[name]))
  return `${[...cells, bytes(sealed)].join('\t')}\n`
}

/** A value in the text format of COPY. */
function cellOf(value: Date | string | null | undefined): string {
  if (value === null || value === undefined) return String.raw`\N`
  return value instanceof Date ? value.toISOString() : value.replaceAll('\\', String.raw`\\`)
}

function bytes(value: Buffer): string {
  return String.raw`\\x${value.toString('hex')}`
}
