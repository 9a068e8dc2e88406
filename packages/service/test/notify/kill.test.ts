import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { serving } from '../support/processes.ts'
import { freshDatabase, urlOf } from '../support/service.ts'
import { mailServer } from './mail-server.ts'

const HANDING_OVER_MS = 3_000

/** A text server that has the message at once, and takes its time to say so. */
async function textServer() {
  let taken = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      taken++
      setTimeout(() => response.writeHead(201).end(), HANDING_OVER_MS)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}/send`, taken: () => taken, close }
}

test('a process that is killed while handing over is followed by none that sends again what was taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ots-post-'))
  const [database, mail, text] = [
    await freshDatabase(),
    await mailServer({ slowMs: HANDING_OVER_MS }),
    await textServer(),
  ]
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  const env = {
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_CATALOG: catalog,
    DATABASE_URL: urlOf(database.target),
    OTS_SMTP_URL: mail.url,
    OTS_SMS_URL: text.url,
  }
  const first = await serving(env)
  for (const method of [
    { type: 'email', to: 'maria@example.com' },
    { type: 'mobile', phone: '(630) 555-0142' },
  ]) {
    const answer = await fetch(`${first.origin}/api/v2/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      body: JSON.stringify(body({ deliveryMethods: [method] })),
    })
    expect(answer.status).toBe(201)
  }
  await expect.poll(() => mail.begun() + text.taken(), { timeout: 10_000 }).toBe(2)
  await first.end('SIGKILL')

  const second = await serving(env)
  const states = async () =>
    (await database.pool<{ state: string }[]>`select state from messages`).map(({ state }) => state)
  await sleep(2_500)
  expect(await states()).toEqual(['sending', 'sending'])
  // The lease of the dead one runs out.
  await database.pool`update messages set lease_until = now()`
  await expect.poll(states, { timeout: 5_000 }).toEqual(['uncertain', 'uncertain'])
  await sleep(1_500)
  expect([mail.begun(), mail.mails.length, text.taken()]).toEqual([1, 1, 1])

  await second.end('SIGTERM')
  text.close()
  await mail.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})
