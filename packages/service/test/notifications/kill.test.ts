import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { serving, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf } from '../support/service.ts'
import { mailServer } from './mail-server.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).toReversed()) await each()
})

/** A text server that accepts requests and never answers. */
async function textServer() {
  let taken = 0
  const server = createServer((request) => void request.resume().on('end', () => taken++))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`, taken: () => taken }
}

async function started(env: Record<string, string>): Promise<Serving> {
  const service = await serving(env)
  undo.push(() => (service.process.exitCode ?? service.process.signalCode) === null && service.end('SIGTERM'))
  return service
}

test('after a process is killed while sending, no other process sends its notifications again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ots-post-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const database = await freshDatabase()
  undo.push(() => database.drop())
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const [mail, text] = [await mailServer({ held }), await textServer()]
  undo.push(() => mail.close())
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  const env = {
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_CATALOG: catalog,
    DATABASE_URL: urlOf(database.target),
    OTS_SMTP_URL: mail.url,
    OTS_SMS_URL: text.url,
  }
  const first = await started(env)
  const methods = [
    { type: 'email', to: 'maria@example.com' },
    { type: 'mobile', phone: '(630) 555-0142' },
  ]
  for (const method of methods) {
    const answer = await fetch(`${first.origin}/api/v2/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(body({ deliveryMethods: [method] })),
    })
    expect(answer.status).toBe(201)
  }
  await expect.poll(() => [mail.begun(), text.taken()], { timeout: 10_000 }).toEqual([1, 1])
  await first.end('SIGKILL')
  release()

  await started(env)
  const states = async () => {
    const rows = await database.pool<{ state: string }[]>`select state from notifications`
    return rows.map(({ state }) => state)
  }
  // Time for the new process to look for work.
  await sleep(1_500)
  expect(await states()).toEqual(['sending', 'sending'])
  // The lease of the killed process expires.
  await database.pool`update notifications set lease_until = now()`
  await expect.poll(states, { timeout: 5_000 }).toEqual(['uncertain', 'uncertain'])
  await sleep(1_500)
  expect([mail.begun(), mail.mails.length, text.taken()]).toEqual([1, 1, 1])
})
