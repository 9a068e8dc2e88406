import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailboxOf } from '../../src/notify/mailbox.ts'
import { Postman } from '../../src/notify/postman.ts'
import { refusalOf } from '../http/answers.ts'
import { created } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, staffed } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const sendAll = async () => {
  const email = mailboxOf(service.store, 'email', randomBytes)
  const options = { channel: 'email', transport: email, publicUrl: 'https://o.example' } as const
  const postman = new Postman({ store: service.store, ...options, random: randomBytes })
  while (await postman.round());
}

/** As anybody: the mailbox asks for no token. */
const get = (path: string, from = service) => from.call('', path)

describe('messages as operators see them', () => {
  test('are listed by order and state, and read with every attempt', async () => {
    const order = await created(service)
    const list = async () => (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body
    expect(await list()).toMatchObject({ total: 1, data: [{ kind: 'link', state: 'waiting', attempts: 0 }] })
    await sendAll()
    const [{ id }] = (await list()).data
    const { body, text } = await operate(service, 'GET', `/messages/${id}`)
    expect(body).toMatchObject({ state: 'sent', log: [{ number: 1, outcome: 'accepted' }] })
    expect(text).not.toContain('maria@example.com')
    expect(refusalOf(await operate(service, 'GET', '/messages/msg_none'))).toBe('404 notFound')
  })

  test('are sent once more when an operator asks for it, which is noted', async () => {
    const order = await created(service)
    await sendAll()
    const [{ id }] = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body.data
    expect((await operate(service, 'POST', `/messages/${id}/resend`)).body).toMatchObject({ state: 'waiting' })
    expect(refusalOf(await operate(service, 'POST', `/messages/${id}/resend`))).toBe('422 invalidState')
    await sendAll()
    const kept = (await get('/sandbox/mailbox.json')).body.data
    expect(kept.filter(({ messageId }: { messageId: string }) => messageId === id)).toHaveLength(2)
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data
    expect(entry).toMatchObject({ action: 'message.resend', before: { state: 'sent' } })
  })
})

describe('the mailbox of a sandbox', () => {
  test('shows what would have been sent, with a link that can be followed and nothing that can do harm', async () => {
    await service.apply(staffed({ companies: [] }))
    await created(service)
    await sendAll()
    const page = await get('/sandbox/mailbox')
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.text).toMatch(/<a href="https:\/\/o\.example\/o\/[\w-]{32}">/)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('is not there in production', async () => {
    const production = await startService({ policy: { production: true, callbackAllow: [] } })
    expect(refusalOf(await get('/sandbox/mailbox', production))).toBe('404 notFound')
    await production.stop()
  })
})
