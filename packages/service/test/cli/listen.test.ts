import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cancelled, created, SECRET } from '../orders/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { staffed } from '../support/operator.ts'
import { freePort, otsProcess, startProcess } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { endWork, startWorker, until } from '../webhooks/working.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterEach(async () => {
  await endWork()
  await closeAll()
})
afterAll(() => service.stop())

const environment = () => ({ OTS_URL: service.origin, OTS_TOKEN: SECRET })

test('ots listen forwards events of orders without a callback, signed as the service signs them', async () => {
  const receiver = await httpReceiver()
  const listening = startProcess(['listen', '--forward-to', receiver.url, '--secret', 'key'], environment())
  await until(() => listening.stdout().includes('Press Ctrl-C'))
  const { id, code } = await created(service)
  await cancelled(service, id)
  await until(() => receiver.requests.length === 1)
  const { body, headers } = receiver.requests[0]!
  const event = JSON.parse(body.toString())
  expect(event).toMatchObject({ object: 'event', type: 'order.updated', data: { id, code } })
  const [, t, signature] = /^t=(\d+),sha256=(\w+)$/.exec(String(headers['x-signature']))!
  expect(createHmac('sha256', 'key').update(`${t}.`).update(body).digest('hex')).toBe(signature)
  expect(headers).toMatchObject({ 'x-event-id': event.id, 'webhook-id': event.id })
  await until(() => listening.stdout().includes(`${code}  ${id}  200`))
  expect(await listening.end('SIGINT')).toBe(0)
})

test('ots listen forwards an event again that was sent again', async () => {
  const [local, callback] = [await httpReceiver(), await httpReceiver()]
  const listening = startProcess(['listen', '--forward-to', local.url, '--json'], environment())
  startWorker(service.store)
  const { id } = await created(service, { callback: { url: callback.url } })
  await until(async () => {
    // The command begins with what comes after its start.
    if (local.requests.length > 0) return true
    const other = await created(service)
    await cancelled(service, other.id)
    return false
  })
  await cancelled(service, id)
  const ours = () => local.requests.filter(({ body }) => body.includes(id))
  await until(() => ours().length === 1 && callback.requests.length === 1)
  const [event] = (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data
  await service.call(SECRET, { method: 'POST', path: `/api/v2/orders/${id}/events/${event.id}/resend` })
  await until(() => ours().length === 2)
  expect(ours()[1]!.body).toEqual(ours()[0]!.body)
  await until(() => listening.stdout().includes(event.id))
  expect(
    JSON.parse(
      listening
        .stdout()
        .split('\n')
        .find((line) => line.includes(event.id))!,
    ),
  ).toMatchObject({ status: 200 })
  expect(await listening.end('SIGTERM')).toBe(0)
  const [first, ...others] = listening.stdout().trimEnd().split('\n')
  expect(JSON.parse(first!)).toEqual({ forwardTo: local.url, secretKey: expect.stringMatching(/^whk_/) as string })
  for (const line of others) expect(JSON.parse(line)).toMatchObject({ event: { object: 'event' }, status: 200 })
})

test('ots listen says why an event did not arrive, and refuses what is no address', async () => {
  const closed = `http://127.0.0.1:${await freePort()}/hook`
  const listening = startProcess(['listen', '--forward-to', closed], environment())
  await until(() => listening.stdout().includes('Press Ctrl-C'))
  const { id } = await created(service)
  await cancelled(service, id)
  await until(() => /not delivered: .*ECONNREFUSED/.test(listening.stdout()))
  await listening.end('SIGINT')
  const wrong = await otsProcess(['listen', '--forward-to', 'localhost:4000'], environment())
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Expected an address such as')])
})
