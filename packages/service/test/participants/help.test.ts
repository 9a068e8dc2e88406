import { describe, expect, test } from 'vitest'
import type { FullHelpRequest, HelpRequest } from '@order-testing/contract/operator'
import { openLink, submitForm } from '../../src/operations/participants/page.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { exportPerson } from '../../src/operations/retention/export-person.ts'
import { refusalOf } from '../http/answers.ts'
import { cancelled, contentOf, TENANT } from '../orders/given.ts'
import { DISCREET_OPERATOR, operate } from '../support/operator.ts'
import { draftOf, eventsOf, filledIn, invited, participantService, requested, submit } from './given.ts'

const service = participantService()
const random = new PooledRandom()
const context = () => ({ store: service.store, now: () => new Date(), random })

const ask = (secret: string, fields: object = {}) =>
  submitForm({ secret, form: { step: 'help', ...fields }, language: 'en' }, context())
const list = async (query: string): Promise<HelpRequest[]> =>
  (await operate(service, 'GET', `/helpRequests?${query}`)).body.data
const read = async (id: string, secret?: string): Promise<FullHelpRequest> =>
  (await operate(service, 'GET', `/helpRequests/${id}`, undefined, secret)).body
const book = (id: string) => operate(service, 'PUT', `/orders/${id}/clinic`, { clinicId: 'naperville' })
const trailOf = async (id: string) =>
  ((await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data as { action: string }[]).map(
    ({ action }) => action,
  )

const NOTE = { helpReason: 'tooFar', helpMiles: '75', helpNote: ' I work nights. ', place: 'Mullen, NE 69152' }

describe('asking for help', () => {
  test('a participant asks for help: the details given so far are kept, and an operator sees the reason', async () => {
    const { order, secret } = await invited(service)
    const draft = await draftOf(service, secret)
    const answer = await ask(secret, { ...NOTE, draft })
    // There are details on file now, which this device may see.
    expect(answer).toMatchObject({ page: 'redirect', query: { step: 'help' }, device: { name: expect.any(String) } })
    expect(await contentOf(service, order.id)).toMatchObject({
      isBooked: false,
      participant: { birthDate: '1990-03-07', address: { postalCode: '60540' }, email: 'maria@example.com' },
    })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    const [request] = await list(`isOpen=true&orderId=${order.id}`)
    expect(request).toMatchObject({
      code: order.code,
      recipient: 'participant',
      reason: 'tooFar',
      isOpen: true,
      doneBy: null,
    })
    expect(request).not.toHaveProperty('details')
    expect((await read(request!.id)).details).toEqual({ place: 'Mullen, NE 69152', miles: 75, note: 'I work nights.' })
    expect(await read(request!.id, DISCREET_OPERATOR)).not.toHaveProperty('details')
    expect(await trailOf(order.id)).toEqual(
      expect.arrayContaining(['participant.askForHelp', 'participant.saveDetails']),
    )
    expect(await trailOf(order.id)).toContain('helpRequest.read')
  })

  test('the page asks until there is a request, and then says when it was sent', async () => {
    const { secret } = await invited(service)
    const draft = await draftOf(service, secret, { email: 'new@example.com' })
    const before = await openLink({ secret, query: { step: 'help', draft, place: 'Mullen, NE' } }, context())
    expect(before).toMatchObject({
      page: 'help',
      view: { sentAt: null, email: 'n•••@example.com', place: 'Mullen, NE', order: { zone: 'UTC' } },
    })
    await ask(secret, { ...NOTE, draft })
    expect(await openLink({ secret, query: { step: 'help' } }, context())).toMatchObject({
      view: { sentAt: expect.any(Date), order: { zone: 'America/Chicago' } },
    })
    // What was entered need not be entered again.
    const details = { step: 'check', draft: undefined }
    expect(await openLink({ secret, query: details }, context())).toMatchObject({ view: { rows: { birthDate: null } } })
  })

  test('a request without a reason, details or a valid draft is taken all the same', async () => {
    const { order, secret } = await invited(service)
    await ask(secret, { helpReason: 'nonsense', helpMiles: '-3', draft: 'broken' })
    const [request] = await list(`orderId=${order.id}`)
    expect(request).toMatchObject({ reason: 'other' })
    expect((await read(request!.id)).details).toEqual({ place: null, miles: null, note: null })
  })

  test('asking again updates the open request and keeps what was written before', async () => {
    const { order, requester } = await requested(service)
    await ask(requester, NOTE)
    await ask(requester, { helpReason: 'noTime' })
    const requests = await list(`orderId=${order.id}`)
    expect(requests).toMatchObject([{ recipient: 'requester', reason: 'noTime' }])
    await ask(requester, { helpReason: 'noTime', helpNote: 'Saturdays work.' })
    const [request] = await list(`orderId=${order.id}`)
    const { details } = await read(request!.id)
    expect(details?.note).toBe('I work nights.\n\nSaturdays work.')
  })

  test('somebody who declines after asking for help is understood, and the earlier note is kept', async () => {
    const { order, secret } = await invited(service)
    const { draft } = await filledIn(service, secret, {}, { until: 'check' })
    await submit(service, secret, {
      step: 'help',
      helpReason: 'tooFar',
      helpNote: 'I have no car.',
      place: 'Mullen, NE',
    })
    await submit(service, secret, { step: 'decline', helpNote: 'I want to ask first.' }, '', draft)
    const requests = await service.store.helpRequests.ofOrder(TENANT, order.id)
    expect(requests).toMatchObject([
      { reason: 'declined', details: { place: 'Mullen, NE', note: 'I have no car.\n\nI want to ask first.' } },
    ])
  })

  test('an operator closes a request once', async () => {
    const { order, requester } = await requested(service)
    await ask(requester, NOTE)
    const [{ id }] = (await list(`orderId=${order.id}`)) as [HelpRequest]
    const done = await operate(service, 'PUT', `/helpRequests/${id}/done`)
    expect(done.body).toMatchObject({ isOpen: false, doneBy: 'operator', doneAt: expect.any(String) })
    expect((await operate(service, 'PUT', `/helpRequests/${id}/done`)).body).toEqual(done.body)
    expect((await trailOf(order.id)).filter((action) => action === 'helpRequest.done')).toHaveLength(1)
    expect(await list(`isOpen=true&orderId=${order.id}`)).toEqual([])
    expect(await list(`isOpen=false&orderId=${order.id}`)).toHaveLength(1)
    expect(refusalOf(await operate(service, 'PUT', '/helpRequests/hlp_none/done'))).toBe('404 notFound')
  })

  test.each([
    ['a booking', (id: string) => book(id)],
    ['the end of the order', (id: string) => cancelled(service, id)],
  ])('%s closes the request', async (_, end) => {
    const { order, requester } = await requested(service)
    await ask(requester, NOTE)
    await end(order.id)
    expect(await list(`orderId=${order.id}`)).toMatchObject([{ isOpen: false, doneBy: null }])
  })

  test('with a booking nobody can ask for help', async () => {
    const { order, requester } = await requested(service)
    await book(order.id)
    expect(await ask(requester, NOTE)).toEqual({ page: 'redirect', query: {} })
    expect(await openLink({ secret: requester, query: { step: 'help' } }, context())).toEqual({
      page: 'redirect',
      query: {},
    })
    expect(await list(`orderId=${order.id}`)).toEqual([])
  })

  test('what was written is sealed, exported with the order, and removed with it', async () => {
    const { order, requester } = await requested(service)
    await ask(requester, NOTE)
    const rows = await service.pool<
      { content: Buffer }[]
    >`select content from help_requests where order_id = ${order.id}`
    expect(rows[0]!.content.toString('latin1')).not.toContain('nights')
    const selection = { tenantId: TENANT, orders: [order.id as string], person: false }
    const exported = await exportPerson({ selection, hasDocuments: false, record: async () => '' }, service.store)
    expect(JSON.stringify(exported)).toContain('I work nights.')
    await service.store.transaction((tx) => tx.orderRemoval.remove(TENANT, [order.id]))
    expect(await service.pool`select from help_requests where order_id = ${order.id}`).toEqual([])
  })
})
