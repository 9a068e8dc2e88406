import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { orders } from '../../src/store/orders/orders.ts'
import { results } from '../../src/store/results/results.ts'
import { deliveries } from '../../src/store/webhooks/deliveries.ts'
import { outbox } from '../../src/store/webhooks/outbox.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'

let service: TestService
/** A single session, whose plans can be seen. */
let session: Pool

beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  session = connect(service.target, { max: 1 })
  // As with large tables.
  await session.script('set enable_seqscan = off')
})
afterAll(async () => {
  await session?.end()
  await service.stop()
})

test('statements for any number of rows are planned once for a session, even if they get few', async () => {
  const { id, code } = await created(service)
  for (let i = 0; i < 12; i++) {
    await orders(session, testKeyring).lockNamed([{ tenantId: TENANT, id, code, specimenId: undefined }])
    await outbox(session, testKeyring, () => {}).registered([{ tenantId: TENANT, orderId: id }])
    await results(session, testKeyring).known([{ tenantId: TENANT, tokenId: 'hr', messageId: `m${i}` }])
    await deliveries(session, testKeyring).record([
      {
        delivery: { tenantId: TENANT, origin: 'https://hooks.example.com', id: `dlv_${i}`, claimId: randomUUID() },
        state: 'delivered',
        wait: 0,
        isGone: false,
        attempt: null,
      },
    ])
  }
  const plans = await session<{ statement: string; customPlans: string }[]>`
    select left(regexp_replace(statement, '\\s+', ' ', 'g'), 80) as statement, custom_plans from pg_prepared_statements
    where statement like '%unnest%' and statement not like '%pg_prepared_statements%' order by 1`
  expect(plans).toHaveLength(4)
  // PostgreSQL tries five plans for the values before it compares them with one for all.
  expect(plans.filter(({ customPlans }) => Number(customPlans) > 5)).toEqual([])
})
