import { describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { cancelled } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { invited, linkTo, open, participantService, requested, submit, wordsOf, type Page } from './given.ts'

const service = participantService()

const kindsOf = async (orderId: string): Promise<string[]> =>
  (await operate(service, 'GET', `/messages?orderId=${orderId}`)).body.data.map(({ kind }: { kind: string }) => kind)
const ask = (secret: string, query = '') => submit(service, secret, { step: 'newLink' }, query)
/** A page repeats the address of its own link. */
const shown = ({ status, text }: Page) => ({ status, text: text.replaceAll(/\/o\/[\w-]+/g, '/o/') })

describe('a revoked link', () => {
  test('a revoked link shows the notice of an expired one, and changes nothing any more', async () => {
    const { order, secret } = await invited(service)
    const past = await linkTo(service, order.id, { expiresAt: new Date(Date.now() - 1000) })
    const other = await invited(service)
    const answer = await operate(service, 'DELETE', `/orders/${order.code}/links`)
    expect(answer.body).toEqual({ object: 'orderLinks', orderId: order.id, revoked: 1, message: null })
    expect(shown(await open(service, secret))).toEqual(shown(await open(service, past)))
    expect((await open(service, secret)).status).toBe(410)
    expect((await submit(service, secret, { step: 'details' })).status).toBe(410)
    expect((await open(service, `${secret}/pass.pdf`)).status).toBe(410)
    expect((await open(service, other.secret)).status).toBe(200)
    expect((await operate(service, 'DELETE', `/orders/${order.id}/links`)).body).toMatchObject({ revoked: 0 })
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${order.id}&action=order.revokeLinks`)).body.data
    expect(entry).toBeDefined()
    expect(refusalOf(await operate(service, 'DELETE', '/orders/ord_none/links'))).toBe('404 notFound')
  })

  test('an operator sends a new link, with or without revoking the earlier ones', async () => {
    const { order, secret } = await invited(service)
    const send = (body: object) => operate(service, 'POST', `/orders/${order.id}/links`, body)
    expect((await send({})).body).toMatchObject({
      revoked: 0,
      message: { kind: 'linkAgain', recipient: 'participant' },
    })
    expect((await open(service, secret)).status).toBe(200)
    expect((await send({ revoke: true, reason: 'Wrong person.' })).body).toMatchObject({ revoked: 1 })
    expect((await open(service, secret)).status).toBe(410)
    await cancelled(service, order.id)
    expect(refusalOf(await send({}))).toBe('422 invalidState')
  })

  test('revoking the links of the requester leaves those of the participant', async () => {
    const { order, requester, participant } = await requested(service)
    const body = { recipient: 'requester', revoke: true }
    const answer = await operate(service, 'POST', `/orders/${order.id}/links`, body)
    expect(answer.body).toMatchObject({ revoked: 1, message: { kind: 'clinicLinkAgain', recipient: 'requester' } })
    expect((await open(service, requester)).status).toBe(410)
    expect((await open(service, participant)).status).toBe(200)
    const contact = { type: 'email', to: 'other@example.com' }
    const refused = await operate(service, 'POST', `/orders/${order.id}/links`, { recipient: 'requester', contact })
    expect(refusalOf(refused)).toBe('400 invalidValue /contact')
  })
})

describe('asking for a new link', () => {
  test('somebody with an expired or revoked link gets a new one at the contact on file, once per hour', async () => {
    const { order, secret } = await invited(service)
    await operate(service, 'DELETE', `/orders/${order.id}/links`)
    const answer = await ask(secret)
    expect(answer.status).toBe(200)
    expect(wordsOf(answer)).toContain('Check your messages')
    expect(await kindsOf(order.id)).toEqual(['linkAgain', 'link'])
    await Promise.all([ask(secret), ask(secret)])
    expect(await kindsOf(order.id)).toEqual(['linkAgain', 'link'])
    await service.pool`
      update notifications set created_at = now() - interval '61 minutes' where order_id = ${order.id}`
    await ask(secret)
    expect(await kindsOf(order.id)).toEqual(['linkAgain', 'linkAgain', 'link'])
  })

  test('two requests at the same time send one link', async () => {
    const { order, secret } = await invited(service)
    await Promise.all([ask(secret), ask(secret), ask(secret)])
    expect(await kindsOf(order.id)).toEqual(['linkAgain', 'link'])
  })

  test('the answer is the same for a guessed link and for an order that has ended', async () => {
    const [one, ended] = [await invited(service), await invited(service)]
    await cancelled(service, ended.order.id)
    const answers = await Promise.all([ask(one.secret), ask(ended.secret), ask('guess')])
    expect(new Set(answers.map((answer) => JSON.stringify(shown(answer)))).size).toBe(1)
    expect(await kindsOf(ended.order.id)).not.toContain('linkAgain')
    expect(wordsOf(await ask('guess', '?lang=es'))).toContain('Revise sus mensajes')
  })

  test('the requester gets the link for requesters', async () => {
    const { order, requester } = await requested(service)
    await ask(requester)
    expect(await kindsOf(order.id)).toContain('clinicLinkAgain')
  })
})
