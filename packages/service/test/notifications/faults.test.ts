import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport, smsTransport, type Transport } from '../../src/notify/transports.ts'
import { created, TENANT } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { freePort } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { headersOf, mailServer, plainText, type MailServer } from './mail-server.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()))
  await service.pool`delete from notifications`
})

const SHORT = { timeoutMs: 400 }

function dispatcher(channel: 'email' | 'mobile', transport: Transport): NotificationDispatcher {
  open.push(transport)
  return new NotificationDispatcher({
    store: service.store,
    channel,
    transport,
    publicUrl: 'https://orders.example',
    random: randomBytes,
  })
}
async function serverWith(behavior: Parameters<typeof mailServer>[0]): Promise<MailServer> {
  const server = await mailServer(behavior)
  open.push(server)
  return server
}
const mailingTo = ({ url }: { url: string }) => dispatcher('email', smtpTransport(url, 'orders.example', SHORT))
const all = async (sender: NotificationDispatcher) => {
  while (await sender.round());
}
const again = () => service.pool`update notifications set due_at = now() where state = 'waiting'`

type Closed = Parameters<typeof mailServer>[0] & { password?: string; banner?: string }

/** A server that sends one line to every client and closes. */
async function greetingWith(banner: string): Promise<string> {
  const server = createSocketServer((socket) => void socket.on('error', () => {}).end(`${banner}\r\n`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The state of an order's notification, and the outcomes of its attempts. */
async function fateOf(orderId: string): Promise<{ state: string; outcomes: string[]; details: string[] }> {
  const [message] = await service.pool<{ id: string; state: string }[]>`
    select id, state from notifications where order_id = ${orderId}`
  const attempts = await service.store.notifications.attempts(TENANT, message!.id)
  return {
    state: message!.state,
    outcomes: attempts.map(({ outcome }) => outcome),
    details: attempts.map(({ detail }) => detail ?? ''),
  }
}

describe('a mail server', () => {
  test('a mail server that was down gets the mail once when it is back', async () => {
    const first = await mailServer()
    const port = Number(new URL(first.url).port)
    await first.close()
    const sender = mailingTo(first)
    const order = await created(service)
    await all(sender)
    await again()
    await all(sender)
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', outcomes: ['tryAgain', 'tryAgain'] })
    const back = await serverWith({ port })
    await again()
    await all(sender)
    await all(sender)
    expect(back.mails).toHaveLength(1)
    expect(await fateOf(order.id)).toMatchObject({ state: 'sent', outcomes: ['tryAgain', 'tryAgain', 'accepted'] })
  })

  test('an answer that repeats the content of a refused mail is stored without it', async () => {
    let secret = ''
    const objecting = (source: string) => {
      const [, found = ''] = /\/o\/([\w-]+)/.exec(plainText(source)) ?? []
      secret = found
      return `5.7.1 Blocked: https://orders.example/o/${found} and orders.example/o/${found}, for maria@example.com.`
    }
    const order = await created(service)
    await all(mailingTo(await serverWith({ objecting })))
    const { state, details } = await fateOf(order.id)
    expect(state).toBe('failed')
    expect(secret).not.toBe('')
    expect(details[0]).toMatch(/^554 5\.7\.1 Blocked: … and …/)
    expect(details[0]).not.toContain(secret)
  })

  test.each([
    ['requires a password', { locked: true }],
    ['rejects the password', { locked: true, password: 'wrong' }],
    ['rejects the sender', { refusingSender: 550 }],
    ['rejects every connection', { banner: '554 Not now' }],
  ])('a mail is retried if the server %s', async (_, { password, ...behavior }: Closed) => {
    const url = behavior.banner ? await greetingWith(behavior.banner) : (await serverWith(behavior)).url
    const order = await created(service)
    await all(mailingTo({ url: password ? url.replace('//', `//orders:${password}@`) : url }))
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', outcomes: ['tryAgain'] })
  })

  test('a mail is retried if the server never answers the connection', async () => {
    const sockets = new Set<Socket>()
    const silent = createSocketServer((socket) => void sockets.add(socket.on('error', () => {})))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    open.push({
      close() {
        for (const socket of sockets) socket.destroy()
        silent.close()
      },
    })
    const order = await created(service)
    await all(mailingTo({ url: `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}` }))
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', outcomes: ['tryAgain'] })
  })

  test('a mail is uncertain if the server answers too late after reading it', async () => {
    const slow = await serverWith({ slowMs: 1_000 })
    const sender = mailingTo(slow)
    const order = await created(service)
    await all(sender)
    expect(await fateOf(order.id)).toMatchObject({ state: 'uncertain', outcomes: ['unknown'] })
    await again()
    await all(sender)
    await expect.poll(() => slow.mails).toHaveLength(1)
    expect(slow.begun()).toBe(1)
  })
})

describe('recipients', () => {
  const copied = () =>
    created(service, {
      deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc: ['gone@example.com', 'hr@example.com'] }],
    })

  /** The participant's mail is the first; copies come in any order. */
  const recipientsOf = ({ mails: [first, ...copies] }: { mails: { to: string[] }[] }) => [
    ...(first?.to ?? []),
    ...copies.flatMap(({ to }) => to).toSorted(),
  ]

  test('copies are mails of their own without the link, and nobody learns who else got one', async () => {
    const server = await serverWith({})
    const order = await copied()
    await all(mailingTo(server))
    const [, ...copies] = server.mails
    expect(copies).toHaveLength(2)
    for (const { to, source } of copies) {
      expect(plainText(source)).toMatch(/^Copy for your information/)
      expect(plainText(source)).toContain(order.code)
      expect(plainText(source)).not.toContain('/o/')
      expect(headersOf(source)).toMatchObject({ To: to[0], Subject: 'Copy: Acme: book your test' })
      expect(headersOf(source)).not.toHaveProperty('Cc')
    }
    expect(new Set(server.mails.map(({ source }) => headersOf(source)['Message-ID'])).size).toBe(3)
    const { data } = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body
    expect(data).toMatchObject([{ state: 'sent', copies: 2 }])
  })

  test('recipients that are named twice get one mail each', async () => {
    const server = await serverWith({})
    const cc = ['HR@example.com', 'Maria@Example.com', 'hr@example.com', 'boss@example.com']
    await created(service, { deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc }] })
    await all(mailingTo(server))
    expect(recipientsOf(server)).toEqual(['maria@example.com', 'HR@example.com', 'boss@example.com'])
  })

  test('a refused copy does not affect the other recipients, and the attempt mentions it', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('gone') ? 550 : undefined) })
    const order = await copied()
    await all(mailingTo(server))
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com'], ['hr@example.com']])
    const { state, details } = await fateOf(order.id)
    expect(state).toBe('sent')
    expect(details[0]).toMatch(/copies: .*refused, 550 No mailbox …/)
    expect(details[0]).not.toContain('@')
  })

  test('the participant gets the mail once if all copies are refused', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('maria') ? undefined : 451) })
    const order = await copied()
    const sender = mailingTo(server)
    await all(sender)
    await again()
    await all(sender)
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com']])
    const { state, details } = await fateOf(order.id)
    expect(state).toBe('sent')
    expect(details[0]).toMatch(/copies: tryAgain, 451/)
  })

  test('no copy is sent if the participant is refused', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('maria') ? 550 : undefined) })
    const order = await copied()
    await all(mailingTo(server))
    expect(server.mails).toEqual([])
    expect(await fateOf(order.id)).toMatchObject({ state: 'failed', outcomes: ['refused'] })
  })

  test('copies are sent once if the participant is temporarily refused', async () => {
    let isPutOff = true
    const server = await serverWith({
      refusing: (address) => (address.startsWith('maria') && isPutOff ? 450 : undefined),
    })
    const order = await copied()
    const sender = mailingTo(server)
    await all(sender)
    isPutOff = false
    await again()
    await all(sender)
    expect(recipientsOf(server)).toEqual(['maria@example.com', 'gone@example.com', 'hr@example.com'])
    expect(await fateOf(order.id)).toMatchObject({ state: 'sent', outcomes: ['tryAgain', 'accepted'] })
  })
})

describe('a text server', () => {
  const texting = async (listener: RequestListener) => {
    let requests = 0
    const server = createServer((request, response) => {
      requests++
      listener(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push({
      close() {
        server.closeAllConnections()
        server.close()
      },
    })
    const sender = dispatcher(
      'mobile',
      smsTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}/send`, SHORT),
    )
    const order = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    await all(sender)
    await again()
    await all(sender)
    return { ...(await fateOf(order.id)), requests }
  }

  test.each([
    [408, 'waiting', 'tryAgain'],
    [429, 'waiting', 'tryAgain'],
    [500, 'waiting', 'tryAgain'],
    [503, 'waiting', 'tryAgain'],
    [502, 'uncertain', 'unknown'],
    [504, 'uncertain', 'unknown'],
    // The operator can fix these, and all notifications wait for it.
    [307, 'waiting', 'tryAgain'],
    [401, 'waiting', 'tryAgain'],
    [404, 'waiting', 'tryAgain'],
    [400, 'failed', 'refused'],
    [422, 'failed', 'refused'],
  ])('a text server that answers %i leaves the notification %s', async (status, state, outcome) => {
    const fate = await texting((_, response) => void response.writeHead(status, { location: '/' }).end())
    expect(fate.state).toBe(state)
    expect(new Set(fate.outcomes)).toEqual(new Set([outcome]))
    expect(fate.requests).toBe(state === 'waiting' ? 2 : 1)
  })

  test('a text message that hangs does not delay others', async () => {
    const taken: string[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += String(chunk)))
      request.on('end', () => {
        const to = new URLSearchParams(body).get('To')!
        taken.push(to)
        if (to.endsWith('0199')) response.writeHead(201).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push({ close: () => (server.closeAllConnections(), server.close()) })
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`
    const sender = dispatcher('mobile', smsTransport(address, { timeoutMs: 6_000 }))
    const texted = (phone: string) => created(service, { deliveryMethods: [{ type: 'mobile', phone }] })
    const hanging = await texted('(630) 555-0142')
    await sender.round()
    const other = await texted('(630) 555-0199')
    await sender.round()
    await expect.poll(async () => (await fateOf(other.id)).state, { timeout: 5_000 }).toBe('sent')
    expect((await fateOf(hanging.id)).state).toBe('sending')
    await sender.settle()
    expect((await fateOf(hanging.id)).state).toBe('uncertain')
    expect(taken).toEqual(['+16305550142', '+16305550199'])
  })

  test('a text message is uncertain if the server does not answer in time', async () => {
    expect(await texting(() => {})).toMatchObject({ state: 'uncertain', outcomes: ['unknown'], requests: 1 })
  })

  test('a text message is uncertain if the server hangs up', async () => {
    const hangUp: RequestListener = (request) => void request.on('end', () => request.socket.destroy()).resume()
    expect(await texting(hangUp)).toMatchObject({ state: 'uncertain', outcomes: ['unknown'], requests: 1 })
  })

  test('a text message is retried if the server cannot be reached', async () => {
    const order = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    await all(dispatcher('mobile', smsTransport(`http://127.0.0.1:${await freePort()}/send`, SHORT)))
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', details: ['ECONNREFUSED'] })
  })
})
