import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CreateOrder, Order, OTHER_TEST_REASONS, parse, TEST_REASONS } from '@order-testing/contract'
import { participantPhone } from '../../src/domain/phones.ts'
import { problemsOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { clinic, post, SECRET, world } from './given.ts'

/** Enough to find likely failures, few enough for every build. A failure prints its seed. */
const RUNS = { numRuns: 80 }

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    world({
      clinics: [clinic('naperville', '60540')],
      settings: { backgroundProvider: 'checkr', configuredClinic: 'naperville' },
    }),
  )
})
afterAll(() => service.stop())

const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
/** Text that can be stored: without NUL and lone surrogates. */
const words = (max: number) =>
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: max })
    .filter((text) => text.length <= max && !text.includes('\u0000'))
const withoutControls = (max: number) => words(max).filter((text) => !/\p{Cc}/u.test(text))
const name = withoutControls(40).filter((text) => text.trim() === text)
const flag = fc.constantFrom(true, false, 1, 0, '1', '0', 'true', 'false')
const numeric = (arbitrary: fc.Arbitrary<number>) => fc.oneof(arbitrary, arbitrary.map(String))
const email = fc.stringMatching(/^[a-z][a-z0-9]{0,10}@[a-z]{1,10}\.example$/)
const phone = fc.constantFrom('(630) 555-0142', '6305550142', '+1 630 555 0142', '+44 20 7946 0958')
const birthDate = fc
  .date({ min: new Date('1930-01-01'), max: new Date('2010-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const address = fc.record(
  {
    line1: words(60),
    city: words(60),
    state: fc.constantFrom('IL', 'WI', 'PR', 'AE'),
    postalCode: fc.constantFrom('60540', '60540-1234', '60505'),
    line2: fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
    country: fc.constantFrom('US', 'us'),
    object: fc.constant('address'),
  },
  { requiredKeys: ['line1', 'city', 'state', 'postalCode'] },
)

const identifiers = fc
  .uniqueArray(fc.constantFrom('ssn', 'passport', 'employeeId'), { maxLength: 2 })
  .chain((types) =>
    fc.tuple(...['driverLicense', ...types].map((type) => fc.record({ type: fc.constant(type), value: words(30) }))),
  )

const participant = fc.record({
  firstName: name,
  lastName: name,
  middleName: sometimes(name),
  address,
  birthDate,
  email,
  phone: fc.oneof(phone, withoutControls(50)),
  identifiers,
})

const what = fc.oneof(
  fc.constantFrom('basic', 'several', 'background').map((id) => ({ package: { id } })),
  fc.constantFrom('Basic', 'bASIC').map((named) => ({ package: { name: named } })),
  fc.constantFrom('FMCSA', 'phmsa', 'Uscg').map((code) => ({ package: { id: 'dot' }, agency: { code } })),
  fc.constantFrom('faa', 'fra', 'fta').map((id) => ({ package: { id: 'dot-alcohol' }, agency: { id } })),
  fc.constant({ package: { id: 'dot' }, agency: { code: 'FRA' }, jobCategory: { name: 'Engine Service' } }),
)

const way = fc.constantFrom(
  { schedulingOption: 'link' },
  { schedulingOption: 'order' },
  { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects' },
  { schedulingOption: 'schedule' },
  { schedulingOption: 'schedule', clinicSelectionMode: 'closestToParticipant' },
  { schedulingOption: 'schedule', clinicSelectionMode: 'configured' },
)

const why = fc.oneof(
  fc.constantFrom(...TEST_REASONS).map((testReason) => ({ testReason })),
  fc.constantFrom(...OTHER_TEST_REASONS).map((otherTestReason) => ({ testReason: 'other', otherTestReason })),
)

const header = fc.record({ 'X-One': fc.stringMatching(/^[ -~]{0,30}$/) }, { requiredKeys: [] })

const auth = fc.oneof(
  fc.record({ type: fc.constant('bearer'), token: fc.stringMatching(/^[!-~]{1,30}$/), secretKey: sometimes(name) }),
  fc.record({ type: fc.constant('apiKey'), apiKey: fc.stringMatching(/^[!-~]{1,30}$/) }),
  fc.record({ type: fc.constant('custom'), custom: header }),
)

const valid = fc
  .record({
    deliveryMethods: fc.tuple(
      fc.oneof(
        fc.record({ type: fc.constant('email'), to: email, cc: sometimes(fc.array(email, { maxLength: 3 })) }),
        fc.record({ type: fc.constant('mobile'), phone }),
      ),
    ),
    location: fc.constantFrom<object>({ id: 'hq' }, { name: 'Headquarters' }, { id: 'hq', name: 'Headquarters' }),
    participant,
    requester: fc.record({
      email,
      firstName: name,
      lastName: name,
      middleName: sometimes(name),
      phone: sometimes(phone),
    }),
    more: fc.record({
      billingCode: sometimes(words(255)),
      expiresIn: sometimes(numeric(fc.integer({ min: 1, max: 100_000 }))),
      expiresInUnit: sometimes(fc.constantFrom('days', 'hours')),
    }),
    callback: sometimes(
      fc.record({ url: fc.webUrl({ validSchemes: ['https'] }), headers: sometimes(header), auth: sometimes(auth) }),
    ),
    orderMatching: sometimes(
      fc.record({ enabled: flag, matchScore: sometimes(numeric(fc.integer({ min: 0, max: 100 }))) }),
    ),
    what,
    way,
    why,
  })
  .map(({ what: chosen, way: settings, why: reason, more, ...rest }) => ({
    ...rest,
    ...chosen,
    ...reason,
    // Background checks require a link, some DOT tests an observed collection.
    settings: {
      ...('id' in chosen.package && chosen.package.id === 'background' ? { schedulingOption: 'link' } : settings),
      ...more,
      observedCollection: true,
    },
  }))
  // As it is sent: without undefined members.
  .map((body) => JSON.parse(JSON.stringify(body)) as Body)

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Body = { [key: string]: Json }

test('a valid body creates an order that conforms to the contract', async () => {
  await fc.assert(
    fc.asyncProperty(valid, async (sent) => {
      const answer = await post(service, sent)
      const refusal = answer.status >= 300 ? answer.text : 'no refusal'
      // Only order matching may answer with an existing order.
      const expected = (sent['orderMatching'] as Body | undefined)?.['enabled'] === undefined ? [201] : [201, 200]
      expect({ refusal, status: expected.includes(answer.status) }).toEqual({ refusal: 'no refusal', status: true })
      expect(Order.parse(answer.body)).toEqual(answer.body)
      const { matched: _, ...order } = answer.body
      expect((await service.call(SECRET, answer.body.url)).body).toEqual(order)
      // A match shows the person on file.
      fc.pre(answer.status === 201)
      const { address: kept, ...person } = sent['participant'] as {
        address: object
        identifiers: object[]
        phone: string
      }
      const unsaid = { issuingCountry: null, issuingState: null, object: 'participantIdentifier' }
      expect(order.participant).toEqual({
        middleName: null,
        ...person,
        phone: participantPhone(person.phone),
        address: { line2: '', ...kept, country: 'US', object: 'address' },
        identifiers: person.identifiers.map((each) => ({ ...unsaid, ...each })),
      })
    }),
    RUNS,
  )
})

const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e308, '', ' ', '\u0000', '\ud800', 'x'.repeat(300), [], {}, [
    [],
  ]),
  fc.constantFrom<Json>(
    '__proto__',
    'constructor',
    '1990-02-30',
    '99999-01-01',
    'http://[::1]/',
    'javascript:x',
    "'; --",
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
)

/** Replaces, removes, or adds something somewhere in a body. */
const mutation = fc.record({
  steps: fc.array(fc.nat(20), { minLength: 1, maxLength: 4 }),
  value: sometimes(junk),
  key: name,
})

function mutate(body: Json, { steps, value, key }: { steps: number[]; value: Json | undefined; key: string }): Json {
  const [step, ...rest] = steps
  if (step === undefined || body === null || typeof body !== 'object') return value ?? null
  const entries = Object.entries(body)
  const at = entries.length === 0 ? -1 : step % (entries.length + 1)
  const chosen = entries[at]
  const changed = entries.flatMap(([name_, member], i) =>
    i !== at
      ? [[name_, member]]
      : rest.length === 0 && value === undefined
        ? []
        : [[name_, mutate(member, { steps: rest, value, key })]],
  )
  const all = chosen ? changed : [...entries, [key, value ?? 1]]
  return Array.isArray(body) ? (all.map((entry) => entry.at(1)) as Json[]) : (Object.fromEntries(all) as Json)
}

test('a tampered body creates an order or is refused with the error body, and never fails', async () => {
  const path = fc.constantFrom('/api/v1/orders', '/api/v2/orders')
  await fc.assert(
    fc.asyncProperty(valid, fc.array(mutation, { minLength: 1, maxLength: 3 }), path, async (body, mutations, to) => {
      const sent = mutations.reduce((changed: Json, each) => mutate(changed, each), body)
      const answer = await post(service, JSON.stringify(sent), { path: to })
      expect({ text: answer.text, failed: answer.status >= 500 }).toEqual({ text: answer.text, failed: false })
      const isOrder = answer.status < 300 && Order.safeParse(answer.body).success
      const problems = isOrder ? [] : problemsOf(answer)
      expect({ text: answer.text, isAnswered: isOrder || answer.status === 400 }).toEqual({
        text: answer.text,
        isAnswered: true,
      })
      expect(new Set(problems).size).toBe(problems.length)
      // A body that the schema refuses is refused, with at least as many problems.
      const parsed = parse(CreateOrder, sent)
      expect(problems.length).toBeGreaterThanOrEqual(parsed.ok ? 0 : parsed.problems.length)
    }),
    { ...RUNS, numRuns: 160 },
  )
})
