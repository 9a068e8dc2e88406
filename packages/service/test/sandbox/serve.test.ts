import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { body, SECRET } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { staffed } from '../support/operator.ts'
import { startService, urlOf, type TestService } from '../support/service.ts'

let [folder, database]: [string?, TestService?] = []
beforeAll(async () => {
  folder = await newFolder()
  database = await startService()
  await database.apply(staffed())
})
afterAll(async () => {
  await database?.stop()
  await rm(folder!, { recursive: true, force: true })
})

const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
const send = async ({ origin }: Serving, path: string, sent: object) =>
  (await (await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(sent) })).json()) as { id: string }
const statusOf = async ({ origin }: Serving, id: string) =>
  ((await (await fetch(`${origin}/api/v2/orders/${id}`, { headers })).json()) as { status: string }).status

test(
  'a running sandbox simulates orders by the name of their participant, and continues after a restart',
  SLOW,
  async () => {
    const env = {
      OTS_DATA_DIR: join(folder!, 'data'),
      DATABASE_URL: urlOf(database!.target),
      OTS_KEYS: 'test:a key for tests alone',
    }
    const sandbox = await serving(env)
    const named = await send(
      sandbox,
      '/api/v2/orders',
      body({ participant: { firstName: 'A', lastName: 'Sandbox-Positive' } }),
    )
    await expect.poll(() => statusOf(sandbox, named.id), PATIENT).toBe('positive')
    const slow = await send(sandbox, '/api/v2/orders', body())
    await send(sandbox, `/api/sandbox/v1/orders/${slow.id}/simulation`, { outcome: 'negative', delaySeconds: 1 })
    await sandbox.end('SIGKILL')
    expect(await database!.pool`select from sandbox_simulations where order_id = ${slow.id}`).toHaveLength(1)
    const again = await serving(env)
    await expect.poll(() => statusOf(again, slow.id), PATIENT).toBe('negative')
    await again.end('SIGTERM')
  },
)
