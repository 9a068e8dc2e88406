import { describe, expect, test } from 'vitest'
import { cancelled, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { linkTo, open, participantService, readOrder, requested, submit, wordsOf } from './given.ts'

const service = participantService()

let requesters = 0
const somebody = () => ({ email: `pat-${(requesters += 1)}@acme.example`, firstName: 'Pat', lastName: 'Doe' })
const named = (firstName: string) => ({ participant: { ...PERSON, firstName } })
const BOOKING = { step: 'book', clinic: 'naperville', way: 'walkIn' }

describe('all open orders of a requester', () => {
  test('the list has every order that waits for a clinic or is booked, those without a clinic first', async () => {
    const requester = somebody()
    const one = await requested(service, { requester, ...named('Ana') })
    const booked = await requested(service, { requester, ...named('Beto') })
    await submit(service, booked.requester, BOOKING)
    const upper = { ...requester, email: requester.email.toUpperCase() }
    await requested(service, { requester: upper, ...named('Carla') })
    await requested(service, { requester: somebody(), ...named('Dora') })
    const gone = await requested(service, { requester, ...named('Elsa') })
    await cancelled(service, gone.order.id)
    const page = await open(service, one.requester, '?step=orders')
    expect(page.status).toBe(200)
    const words = wordsOf(page)
    expect(words).toContain('3 open orders')
    expect(words).toMatch(/Ana Lopez .* Needs a clinic .* Carla Lopez .* Beto Lopez .* Booked: walk-in, Naperville/)
    for (const text of ['Dora', 'Elsa', 'Urine', '1990', 'maria@example.com', 'Ogden'])
      expect(page.text).not.toContain(text)
  })

  test('a requester chooses for another order within the same link, and sees no more of it than by its own', async () => {
    const requester = somebody()
    const one = await requested(service, { requester })
    const other = await requested(service, { requester, ...named('Juan') })
    const path = `${one.requester}/orders/${other.order.code}`
    expect(wordsOf(await open(service, path))).toContain('For Juan Lopez')
    const sent = await submit(service, path, BOOKING)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/o/${path}`])
    expect((await readOrder(service, other.order.id)).clinic.id).toBe('naperville')
    expect((await readOrder(service, one.order.id)).clinic).toBeNull()
    const { data } = (await operate(service, 'GET', `/audit?subjectId=${other.order.id}`)).body as {
      data: { action: string }[]
    }
    expect(data.map(({ action }) => action)).toEqual(['requester.book'])
  })

  test('no link opens an order of somebody else, and no participant’s link opens a list', async () => {
    const [one, other] = [
      await requested(service, { requester: somebody() }),
      await requested(service, { requester: somebody() }),
    ]
    const wrong = await open(service, 'guess')
    for (const path of [
      `${one.requester}/orders/${other.order.code}`,
      `${one.requester}/orders/2222-2222`,
      `${one.participant}/orders/${one.order.code}`,
      `guess/orders/${one.order.code}`,
    ]) {
      const page = await open(service, path)
      expect([page.status, page.text]).toEqual([404, wrong.text])
      expect((await submit(service, path, BOOKING)).status).toBe(404)
    }
    expect((await open(service, one.participant, '?step=orders')).text).not.toContain(other.order.code)
    const old = await linkTo(service, one.order.id, { recipient: 'requester', expiresAt: new Date(0) })
    expect((await open(service, old, '?step=orders')).status).toBe(410)
    expect((await readOrder(service, other.order.id)).clinic).toBeNull()
  })

  test('an order whose links were revoked is closed to the other links of its requester, until a new one is sent', async () => {
    const requester = somebody()
    const one = await requested(service, { requester })
    const other = await requested(service, { requester, ...named('Rosa') })
    await operate(service, 'DELETE', `/orders/${other.order.id}/links`)
    const path = `${one.requester}/orders/${other.order.code}`
    expect((await open(service, path)).status).toBe(404)
    expect((await submit(service, path, BOOKING)).status).toBe(404)
    expect((await open(service, one.requester, '?step=orders')).text).not.toContain('Rosa')
    await linkTo(service, other.order.id, { recipient: 'requester' })
    expect((await open(service, path)).status).toBe(200)
  })

  test('pages link to the list only if there is another open order, even after their own has ended', async () => {
    const requester = somebody()
    const one = await requested(service, { requester })
    expect((await open(service, one.requester)).text).not.toContain('step=orders')
    const other = await requested(service, { requester })
    expect((await open(service, one.requester)).text).toContain(`href="/o/${one.requester}?step=orders"`)
    await cancelled(service, one.order.id)
    const notice = await open(service, one.requester)
    expect(notice.status).toBe(410)
    expect(notice.text).toContain(`href="/o/${one.requester}?step=orders"`)
    expect(wordsOf(await open(service, one.requester, '?step=orders'))).toContain('1 open order')
    await operate(service, 'POST', `/orders/${other.order.id}/services/${other.order.services[0].id}/moves`, {
      status: 'checkedIn',
    })
    expect(wordsOf(await open(service, one.requester, '?step=orders'))).toContain('No open orders')
  })

  test('a long list is cut after 50 orders and says how many there are', async () => {
    const requester = somebody()
    const first = await requested(service, { requester })
    await Promise.all(Array.from({ length: 51 }, () => requested(service, { requester })))
    const page = await open(service, first.requester, '?step=orders')
    expect(wordsOf(page)).toContain('The first 50 of 52')
    expect(page.text.match(/<li class="card">/g)).toHaveLength(50)
  })
})
