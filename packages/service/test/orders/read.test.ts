import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@order-testing/contract'
import { startService, token, type TestService } from '../support/service.ts'
import { body, created, DISCREET, GLOBEX, PERSON, post, SECRET, stored, world } from './given.ts'

const RIVAL = 'rival-secret-full-scope'
const rival = {
  tenant: { id: 'rival', name: 'Rival' },
  services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false }],
  packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
  companies: [{ id: 'acme', name: 'Rival', packages: ['basic'], locations: [{ id: 'hq', name: 'Rival HQ' }] }],
  tokens: [token(RIVAL)],
}

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(rival, world({ locations: [{ id: 'site', name: 'Site' }] }))
})
afterAll(() => service.stop())

const read = (id: string, secret = SECRET) => service.call(secret, `/api/v2/orders/${id}`)

describe('GET /orders/{id}', () => {
  test('a read shows the participant with identifiers to a token with order.participant.read', async () => {
    const { id } = await created(service, { participant: PERSON })
    const { status, body: order } = await read(id)
    expect(status).toBe(200)
    expect(order.participant).toMatchObject({ lastName: 'Lopez', identifiers: [{ type: 'ssn', value: '536-22-8841' }] })
  })

  test('Conventions 4: a read without order.participant.read leaves out the participant and nothing else', async () => {
    const { id } = await created(service, { participant: PERSON })
    const { participant, ...rest } = (await read(id)).body
    expect(participant).toBeDefined()
    expect((await read(id, DISCREET)).body).toEqual(rest)
  })

  test('an order conforms to the contract at every stage', async () => {
    const at = new Date('2026-03-02T15:04:05.678Z')
    const order = await stored(service, {
      services: [
        {
          status: 'negative',
          specimenId: 'S-1',
          courierServiceName: 'FastShip',
          trackingNumber: 'T-1',
          lab: { id: 'lab', name: 'Lab' },
          screens: [{ type: 'initial', at }],
        },
        { status: 'mroReview', isDot: true, requiresMro: true, screens: [{ type: 'initial', at }] },
      ],
    })
    const { body: shown } = await read(order.id)
    expect(Order.parse(shown)).toEqual(shown)
    expect(shown).toMatchObject({ status: 'pending', isFinal: false })
    expect(shown.services[0]).toMatchObject({
      isFinal: true,
      specimenId: 'S-1',
      courierServiceName: 'FastShip',
      trackingNumber: 'T-1',
      lab: { id: 'lab', name: 'Lab', object: 'vendor', type: 'lab' },
      screenHistory: [{ object: 'orderServiceScreenHistory', occurredAt: at.toISOString(), type: 'initial' }],
      statusHistory: [{ groupType: 'final', status: 'negative' }],
    })
  })

  test('a read shows nothing of the laboratory before the medical reviewer has decided', async () => {
    const screens = [{ type: 'confirmation', at: new Date() }]
    const order = await stored(service, { services: [{ status: 'mroReview', requiresMro: true, screens }] })
    expect((await read(order.id)).body.services[0].screenHistory).toEqual([])
  })

  test.each(['negative', 'positive', 'testCancelled', 'pass', 'released'] as const)(
    'isFinal is true for %s',
    async (status) => {
      const order = await stored(service, { services: [{ status }] })
      expect((await read(order.id)).body).toMatchObject({ status, isFinal: true })
    },
  )

  test.each(['cancelled', 'expired', 'noShow', 'nonNegative', 'integrationError', 'lostInTransit'] as const)(
    'isFinal is false for %s',
    async (status) => {
      const order = await stored(service, { services: [{ status }] })
      expect((await read(order.id)).body).toMatchObject({ status, isFinal: false })
    },
  )

  test('an order that is missing, of another company or of another tenant answers 404 with the same bytes', async () => {
    const globex = await created(service, { location: { id: 'globex-hq' } }, { secret: GLOBEX })
    const theirs = (await post(service, body(), { secret: RIVAL })).body
    const ids = ['missing', 'ord_00000000000000000000000000', globex.id, theirs.id, '%00', 'x'.repeat(3_000)]
    const answers = await Promise.all(ids.map((id) => read(id)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.at(0)!.status).toBe(404)
    expect((await read(theirs.id, RIVAL)).status).toBe(200)
  })
})

describe('visibility of orders of inactive places', () => {
  test('an order stays visible if its location is inactive, but not if its company is', async () => {
    const gone = await startService()
    const site = { id: 'site', name: 'Site' }
    await gone.apply(world({ locations: [site] }))
    const { id } = await created(gone, { location: { id: 'site' } })
    const seen = async () => {
      const { status } = await gone.call(SECRET, `/api/v2/orders/${id}`)
      return [status, (await gone.call(SECRET, '/api/v2/orders')).body.total]
    }
    await gone.apply(world({ locations: [{ ...site, isActive: false }] }))
    await expect.poll(async () => (await gone.call(SECRET, '/api/v2/locations/site')).status).toBe(404)
    expect(await seen()).toEqual([200, 1])
    await gone.apply(world())
    expect(await seen()).toEqual([200, 1])
    await gone.apply(world({ isActive: false }))
    await expect.poll(seen).toEqual([404, 0])
    await gone.apply(world())
    await expect.poll(seen).toEqual([200, 1])
    await gone.stop()
  })
})
