import { randomBytes, randomInt } from 'node:crypto'
import { makeId } from '@order-testing/service/domain/ids'
import { makeCode } from '@order-testing/service/domain/orders/code'
import { blockingKeysOf } from '@order-testing/service/operations/matching/match'
import { composeView } from '@order-testing/service/domain/orders/view'
import { connect } from '@order-testing/service/store/db/pool'
import type { Compiled } from '@order-testing/service/store/db/sql'
import { Keyring } from '@order-testing/service/store/sealing/keyring'
import { orders } from '@order-testing/service/store/orders/orders'
import { KEY, TENANT, type World } from './world.ts'

/** A statement of the service, to be run directly. */
export interface Statement {
  text: string
  /** Makes the parameters of a new row. */
  parameters: () => unknown[]
  /** The statement as a pgbench script. */
  script: string
}

/** The company of the orders that are inserted directly. */
const COMPANY_OF_COPIES = 'c-1'

/** Captures the statement with which the service inserts an order, as the driver sends it. */
export async function captureInsert({ databaseUrl }: World, orderId: string): Promise<Statement> {
  const seen: Compiled[] = []
  const pool = connect(databaseUrl, { onStatement: (statement) => seen.push(statement) })
  const store = orders(pool, new Keyring([KEY]))
  const order = await store.lockVisible({ tenantId: TENANT, companyIds: ['fresh'] } as never, orderId)
  if (!order) throw new Error('Order not found.')
  // Copies cannot be decrypted, so no figures are kept of their company.
  await pool`
    insert into figure_positions (tenant_id, company_id, position) values (${TENANT}, ${COMPANY_OF_COPIES}, ${String(2n ** 62n)}::bigint)
    on conflict (tenant_id, company_id) do update set position = excluded.position`
  const [id, code] = [makeId('ord', new Date(), randomBytes), makeCode(randomInt)]
  const company = { ...order.company, id: COMPANY_OF_COPIES }
  await store.insert([
    {
      tenantId: TENANT,
      order: { ...order, id, code, company },
      view: composeView(order),
      blockingKeys: blockingKeysOf(order),
    },
  ])
  await pool.end()
  const { text, values } = seen.find((each) => each.text.includes('insert into orders'))!
  return {
    text,
    parameters: () => {
      const [another, spelled] = [makeId('ord', new Date(), randomBytes), makeCode(randomInt)]
      return values.map((value) =>
        typeof value === 'string' ? value.replaceAll(id, another).replaceAll(code, spelled) : value,
      )
    },
    script: [
      String.raw`\set i random(1, 4000000000000000000)`,
      `${text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\d+)/g, (_, n: string) => toLiteral(values[Number(n) - 1], { id, code }))};`.replaceAll(
        /\s+/g,
        ' ',
      ),
    ].join('\n'),
  }
}

/** Writes a value in hexadecimal, so that pgbench finds no variables except those for id and code. */
function toLiteral(value: unknown, { id, code }: { id: string; code: string }): string {
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (typeof value !== 'string') throw new Error('Expected a text or bytes.')
  const parts = value.split(new RegExp(`(${id}|${code})`))
  const written = parts.map((part) => {
    if (part === id) return `'ord_0' || lpad(:i::text, 25, '0')`
    if (part === code) return 'to_hex(:i::bigint)'
    return `convert_from('\\x${Buffer.from(part).toString('hex')}', 'UTF8')`
  })
  return `(${written.join(' || ')})`
}
