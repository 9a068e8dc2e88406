import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Postman } from '../../src/notify/postman.ts'
import { emailBy, textsBy, type Transport } from '../../src/notify/transports.ts'
import { created, TENANT } from '../orders/given.ts'
import { staffed } from '../support/operator.ts'
import { freePort } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { mailServer, plainText, type MailServer } from './mail-server.ts'

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

function postman(channel: 'email' | 'mobile', transport: Transport): Postman {
  open.push(transport)
  return new Postman({
    store: service.store,
    channel,
    transport,
    publicUrl: 'https://orders.example',
    random: randomBytes,
  })
}
async function serverWith(manners: Parameters<typeof mailServer>[0]): Promise<MailServer> {
  const server = await mailServer(manners)
  open.push(server)
  return server
}
const mailingTo = ({ url }: { url: string }) => postman('email', emailBy(url, 'orders.example', SHORT))
const all = async (carrier: Postman) => {
  while (await carrier.round());
}
const again = () => service.pool`update notifications set due_at = now() where state = 'waiting'`

type Closed = Parameters<typeof mailServer>[0] & { password?: string; banner?: string }

/** A server that has one thing to say to whoever comes. */
async function greetingWith(banner: string): Promise<string> {
  const server = createSocketServer((socket) => void socket.on('error', () => {}).end(`${banner}\r\n`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(server)
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** How a message stands, and what its attempts came to. */
async function fateOf(orderId: string): Promise<{ state: string; outcomes: string[]; details: string[] }> {
  const [message] = await service.pool<{ id: string; state: string }[]>`
    select id, state from notifications where order_id = ${orderId}`
  const attempts = await service.store.messages.attempts(TENANT, message!.id)
  return {
    state: message!.state,
    outcomes: attempts.map(({ outcome }) => outcome),
    details: attempts.map(({ detail }) => detail ?? ''),
  }
}

describe('a mail server', () => {
  test('that is down for a while gets the mail when it is back, once', async () => {
    const first = await mailServer()
    const port = Number(new URL(first.url).port)
    await first.close()
    const carrier = mailingTo(first)
    const order = await created(service)
    await all(carrier)
    await again()
    await all(carrier)
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', outcomes: ['tryAgain', 'tryAgain'] })
    const back = await serverWith({ port })
    await again()
    await all(carrier)
    await all(carrier)
    expect(back.mails).toHaveLength(1)
    expect(await fateOf(order.id)).toMatchObject({ state: 'sent', outcomes: ['tryAgain', 'tryAgain', 'accepted'] })
  })

  test('that takes no such mail, and repeats what is in it, gets no other; nothing of that is kept', async () => {
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
    ['wants a password', { locked: true }],
    ['takes the password for a wrong one', { locked: true, password: 'wrong' }],
    ['refuses the sender', { refusingSender: 550 }],
    ['is closed to everybody', { banner: '554 Not now' }],
  ])('that %s says nothing of this mail, which is tried again', async (_, { password, ...manners }: Closed) => {
    const url = manners.banner ? await greetingWith(manners.banner) : (await serverWith(manners)).url
    const order = await created(service)
    await all(mailingTo({ url: password ? url.replace('//', `//orders:${password}@`) : url }))
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', outcomes: ['tryAgain'] })
  })

  test('that never says a word is given up on, and tried again: it has got nothing', async () => {
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

  test('that takes its time with a mail it has is not given it again: an operator decides', async () => {
    const slow = await serverWith({ slowMs: 1_000 })
    const carrier = mailingTo(slow)
    const order = await created(service)
    await all(carrier)
    expect(await fateOf(order.id)).toMatchObject({ state: 'uncertain', outcomes: ['unknown'] })
    await again()
    await all(carrier)
    await expect.poll(() => slow.mails).toHaveLength(1)
    expect(slow.begun()).toBe(1)
  })
})

describe('recipients', () => {
  const copied = () =>
    created(service, {
      deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc: ['gone@example.com', 'hr@example.com'] }],
    })

  test('of whom one is named twice get one mail each', async () => {
    const server = await serverWith({})
    const cc = ['HR@example.com', 'Maria@Example.com', 'hr@example.com', 'boss@example.com']
    await created(service, { deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc }] })
    await all(mailingTo(server))
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com'], ['HR@example.com', 'boss@example.com']])
  })

  test('of whom a copy is refused: the others have it, and the attempt says so', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('gone') ? 550 : undefined) })
    const order = await copied()
    await all(mailingTo(server))
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com'], ['hr@example.com']])
    const { state, details } = await fateOf(order.id)
    expect(state).toBe('sent')
    expect(details[0]).toMatch(/copies: .*refused: 550 No mailbox …/)
    expect(details[0]).not.toContain('@')
  })

  test('of whom all copies are refused: the participant has it all the same, once', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('maria') ? undefined : 451) })
    const order = await copied()
    const carrier = mailingTo(server)
    await all(carrier)
    await again()
    await all(carrier)
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com']])
    const { state, details } = await fateOf(order.id)
    expect(state).toBe('sent')
    expect(details[0]).toMatch(/copies: tryAgain, 451/)
  })

  test('of whom the participant is refused: it has failed, and no copy is sent of what was not', async () => {
    const server = await serverWith({ refusing: (address) => (address.startsWith('maria') ? 550 : undefined) })
    const order = await copied()
    await all(mailingTo(server))
    expect(server.mails).toEqual([])
    expect(await fateOf(order.id)).toMatchObject({ state: 'failed', outcomes: ['refused'] })
  })

  test('of whom the participant is put off: it is tried again, and the copies get theirs once', async () => {
    let isPutOff = true
    const server = await serverWith({
      refusing: (address) => (address.startsWith('maria') && isPutOff ? 450 : undefined),
    })
    const order = await copied()
    const carrier = mailingTo(server)
    await all(carrier)
    isPutOff = false
    await again()
    await all(carrier)
    expect(server.mails.map(({ to }) => to)).toEqual([['maria@example.com'], ['gone@example.com', 'hr@example.com']])
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
    const carrier = postman('mobile', textsBy(`http://127.0.0.1:${(server.address() as AddressInfo).port}/send`, SHORT))
    const order = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    await all(carrier)
    await again()
    await all(carrier)
    return { ...(await fateOf(order.id)), requests }
  }

  test.each([
    [408, 'waiting', 'tryAgain'],
    [429, 'waiting', 'tryAgain'],
    [500, 'waiting', 'tryAgain'],
    [503, 'waiting', 'tryAgain'],
    [502, 'uncertain', 'unknown'],
    [504, 'uncertain', 'unknown'],
    // These the operator can mend, and all messages wait for it.
    [307, 'waiting', 'tryAgain'],
    [401, 'waiting', 'tryAgain'],
    [404, 'waiting', 'tryAgain'],
    [400, 'failed', 'refused'],
    [422, 'failed', 'refused'],
  ])('that says %i leaves the message %s', async (status, state, outcome) => {
    const fate = await texting((_, response) => void response.writeHead(status, { location: '/' }).end())
    expect(fate.state).toBe(state)
    expect(new Set(fate.outcomes)).toEqual(new Set([outcome]))
    expect(fate.requests).toBe(state === 'waiting' ? 2 : 1)
  })

  test('that hangs on one message keeps no other waiting', async () => {
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
    const carrier = postman('mobile', textsBy(address, { timeoutMs: 2_000 }))
    const texted = (phone: string) => created(service, { deliveryMethods: [{ type: 'mobile', phone }] })
    const hanging = await texted('(630) 555-0142')
    await carrier.round()
    const other = await texted('(630) 555-0199')
    await carrier.round()
    await expect.poll(async () => (await fateOf(other.id)).state, { timeout: 1_000 }).toBe('sent')
    expect((await fateOf(hanging.id)).state).toBe('sending')
    await carrier.settle()
    expect((await fateOf(hanging.id)).state).toBe('uncertain')
    expect(taken).toEqual(['+16305550142', '+16305550199'])
  })

  test('that says nothing in time may have the message: it is not sent again by itself', async () => {
    expect(await texting(() => {})).toMatchObject({ state: 'uncertain', outcomes: ['unknown'], requests: 1 })
  })

  test('that hangs up may have it too', async () => {
    const hangUp: RequestListener = (request) => void request.on('end', () => request.socket.destroy()).resume()
    expect(await texting(hangUp)).toMatchObject({ state: 'uncertain', outcomes: ['unknown'], requests: 1 })
  })

  test('that is not there has nothing: it is tried again', async () => {
    const order = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    await all(postman('mobile', textsBy(`http://127.0.0.1:${await freePort()}/send`, SHORT)))
    expect(await fateOf(order.id)).toMatchObject({ state: 'waiting', details: ['ECONNREFUSED'] })
  })
})
