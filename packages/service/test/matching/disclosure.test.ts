import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, token, type TestService } from '../support/service.ts'
import { body, created, DISCREET, PERSON, post, world } from '../orders/given.ts'

/** May create orders and nothing else. */
const CREATE_ONLY = 'acme-secret-create-only'
const ON = { orderMatching: { enabled: true } }
const withScore = (matchScore: number) => ({ orderMatching: { enabled: true, matchScore } })

let service: TestService
let sites = 0
beforeAll(async () => {
  service = await startService()
  const locations = Array.from({ length: 40 }, (_, i) => ({ id: `site-${i}`, name: `Site ${i}` }))
  const settings = { orderMatching: { enabled: true, matchScore: 70 } }
  await service.apply(
    world({
      locations: [...locations, { id: 'lenient', name: 'Lenient', settings }],
      tokens: [token(CREATE_ONLY, { scopes: ['order.create'] })],
    }),
  )
})
afterAll(() => service.stop())

/** A location without orders. */
const elsewhere = () => ({ location: { id: `site-${sites++}` } })

const VICTIM = { ...PERSON, firstName: 'Wilhelmina', lastName: 'Oppenheimer', email: 'private@example.com' }
const STRANGER = { firstName: 'Xaver', lastName: 'Young' }

describe('ruling 40: which orders are equivalent', () => {
  test('a matchScore of 0 never matches the order of somebody else', async () => {
    const place = elsewhere()
    await created(service, { ...place, participant: VICTIM })
    const sent = body({ ...place, participant: STRANGER, ...withScore(0) })
    for (const secret of [CREATE_ONLY, DISCREET]) {
      const other = { ...sent, participant: { ...STRANGER, firstName: secret } }
      const answer = await post(service, other, { secret })
      expect({ secret, status: answer.status }).toEqual({ secret, status: 201 })
      expect(answer.text).not.toContain('Oppenheimer')
    }
    const answer = await post(service, sent)
    expect(answer.status).toBe(201)
    expect(answer.text).not.toContain('Oppenheimer')
  })

  test('a token without order.participant.read gets no order below the score of the setting', async () => {
    const place = elsewhere()
    // Twins with the same phone score 84.
    const known = { firstName: 'Maria', lastName: 'Lopez', birthDate: '1990-03-07', phone: '6305550142' }
    const twin = body({ ...place, participant: { ...known, firstName: 'Mario' }, ...withScore(80) })
    const { id } = await created(service, { ...place, participant: known })
    const reader = await post(service, twin)
    expect([reader.status, reader.body.id, reader.body.matched]).toEqual([
      200,
      id,
      { originalSource: 'api', score: 84 },
    ])
    expect((await post(service, twin, { secret: CREATE_ONLY })).status).toBe(201)
  })

  test('a setting of the location below the default counts', async () => {
    const place = { location: { id: 'lenient' } }
    const known = { firstName: 'Maria', lastName: 'Lopez', birthDate: '1990-03-07', phone: '6305550142' }
    const { id } = await created(service, { ...place, participant: known })
    const twin = body({ ...place, participant: { ...known, firstName: 'Mario' }, ...withScore(0) })
    const answer = await post(service, twin, { secret: CREATE_ONLY })
    expect([answer.status, answer.body.id, answer.body.matched.score]).toEqual([200, id, 70])
  })

  test('a matchScore above the setting is honoured, for every token', async () => {
    const place = elsewhere()
    await created(service, { ...place, participant: VICTIM })
    const { identifiers: _, ...known } = VICTIM
    // Day and month swapped, with the same e-mail address and phone: 93.3.
    const swapped = body({ ...place, participant: { ...known, birthDate: '1990-07-03' } })
    expect((await post(service, { ...swapped, ...withScore(93.3) }, { secret: CREATE_ONLY })).status).toBe(200)
    expect((await post(service, { ...swapped, ...withScore(93.4) }, { secret: CREATE_ONLY })).status).toBe(201)
  })
})

describe('ruling 41: what a match shows to a token without order.participant.read', () => {
  test.each(['/api/v2/orders', '/api/v1/orders'])('%s answers with the participant of the request', async (path) => {
    const place = elsewhere()
    const order = await created(service, { ...place, participant: { ...VICTIM, middleName: 'Quincy' } })
    const { firstName, lastName, birthDate, phone, identifiers } = VICTIM
    const sent = body({ ...place, participant: { firstName, lastName, birthDate, phone, identifiers }, ...ON })
    const answer = await post(service, sent, { secret: CREATE_ONLY, path })
    expect(answer.status).toBe(200)
    const { participant: _, ...whole } = order
    const normalised = { firstName, lastName, birthDate, phone: '+16305550142' }
    expect(answer.body).toEqual({
      ...whole,
      participant: { ...normalised, middleName: null, address: null, email: null },
      matched: { originalSource: 'api', score: 100 },
    })
    for (const secret of ['Quincy', 'private@example.com', '8841', 'Ogden']) expect(answer.text).not.toContain(secret)
  })

  test('the score is 100 for an exact match and the threshold in force for any other', async () => {
    const place = elsewhere()
    const robert = { ...VICTIM, firstName: 'Robert' }
    await created(service, { ...place, participant: robert })
    const asBob = body({ ...place, participant: { ...robert, firstName: 'Bob' } })
    const score = async (sent: object, secret?: string) =>
      (await post(service, sent, secret === undefined ? {} : { secret })).body.matched.score
    expect(await score({ ...asBob, ...ON })).toBe(99)
    expect(await score({ ...asBob, ...ON }, CREATE_ONLY)).toBe(85)
    expect(await score({ ...asBob, ...withScore(0) }, CREATE_ONLY)).toBe(85)
    expect(await score({ ...asBob, ...withScore(95) }, CREATE_ONLY)).toBe(95)
    expect(await score({ ...asBob, participant: robert, ...ON }, CREATE_ONLY)).toBe(100)
  })

  test('a repeat with the same Idempotency-Key gets the same answer', async () => {
    const place = elsewhere()
    await created(service, { ...place, participant: VICTIM })
    const { email: _, ...known } = VICTIM
    const sent = body({ ...place, participant: known, ...ON })
    const posting = { secret: CREATE_ONLY, headers: { 'Idempotency-Key': 'again' } }
    const [first, second] = [await post(service, sent, posting), await post(service, sent, posting)]
    expect([first.status, second.text]).toEqual([200, first.text])
    expect(first.text).not.toContain('private@example.com')
  })
})

describe('a token without order.participant.read learns nothing by trying one score after the other', () => {
  const NAMED = { firstName: 'Wilhelmina', lastName: 'Oppenheimer', phone: '(630) 555-0142' }

  /** The lowest score at which the guess is no longer matched, found as an attacker would: in eight requests. */
  async function boundary(place: object, guess: object, secret: string): Promise<{ seen: unknown[]; score: number }> {
    const seen: unknown[] = []
    let [low, high] = [0, 100]
    for (let i = 0; i < 8; i++) {
      const middle = (low + high) / 2
      const sent = body({ ...place, participant: { ...NAMED, ...guess }, ...withScore(middle) })
      const { status, body: answer } = await post(service, sent, { secret })
      seen.push([status, answer.matched?.score, answer.participant])
      if (status === 200) low = middle
      else high = middle
    }
    return { seen, score: low }
  }

  const onFile = (value: object) => ({ ...NAMED, ...value })
  const ssn = (value: string) => ({ identifiers: [{ type: 'ssn', value }] })
  const dates = ['1988-07-03', '1988-03-08', '1978-03-07', '1961-11-24', '1999-09-09']
  const numbers = ['536-22-8842', '8841', '4015', '401-55-9214', '8840']

  test.each([
    ['birth date', { birthDate: '1988-03-07' }, { birthDate: '1961-11-25' }, dates.map((birthDate) => ({ birthDate }))],
    ['social security number', ssn('536-22-8841'), ssn('401-55-4015'), numbers.map((value) => ssn(value))],
  ])('the answers are the same whichever %s is on file', async (_, mine, theirs, guesses) => {
    // Each guess uses its own location, so that an order created by an earlier guess does not hide the one on file.
    for (const guess of guesses) {
      const transcripts = []
      for (const value of [mine, theirs]) {
        const place = elsewhere()
        await created(service, { ...place, participant: onFile(value) })
        transcripts.push(await boundary(place, guess, CREATE_ONLY))
      }
      expect({ guess, ...transcripts[0] }).toEqual({ guess, ...transcripts[1] })
    }
  })

  test('a token with order.participant.read can ask for a lower score and sees the real score', async () => {
    const place = elsewhere()
    await created(service, { ...place, participant: onFile({ birthDate: '1988-03-07' }) })
    const sent = body({ ...place, participant: { ...NAMED, birthDate: '1988-03-08' }, ...withScore(0) })
    expect((await post(service, sent)).body.matched?.score).toBe(84)
  })
})
