import { describe, expect, test } from 'vitest'
import { readPdf, wordsOf as wordsOfPdf } from '../../../pages/test/scanner.ts'
import type { OrderService } from '../../src/domain/orders/order.ts'
import { SERVICE_STATUSES, type ServiceStatus } from '../../src/domain/orders/statuses.ts'
import { created, PERSON, rewrite, TENANT } from '../orders/given.ts'
import { linkTo, open, participantService, wordsOf } from './given.ts'

const service = participantService({
  hq: {
    der: { name: 'Ruth Calder', phone: '+18155550101' },
    reviewer: {
      name: 'Amara Osei, MD',
      phone: '+13125550190',
      address: {
        line1: '55 E Monroe Street',
        line2: '',
        city: 'Chicago',
        state: 'IL',
        postalCode: '60603',
        country: 'US',
      },
    },
  },
})

const LICENSE = { type: 'driverLicense', value: 'L1234-56789', issuingState: 'IL', issuingCountry: 'US' }

/** A booked order whose services have these statuses, and a link to it. */
async function visited(statuses: ServiceStatus[], members: object = {}, before: ServiceStatus[] = []) {
  const order = await created(service, {
    participant: { ...PERSON, identifiers: [LICENSE] },
    settings: { schedulingOption: 'schedule' },
    ...members,
  })
  const { services } = (await service.store.orders.find(TENANT, order.id))!
  const at = new Date('2026-11-18T16:24:00Z')
  const moved = services.map((each, i): OrderService => {
    const status = statuses[i]!
    const history = [
      ...each.history,
      ...['checkedIn' as const, ...before, status].map((past) => ({ status: past, at })),
    ]
    return { ...each, status, statusUpdatedAt: at, history }
  })
  await rewrite(service, order.id, { services: moved })
  return { order, secret: await linkTo(service, order.id) }
}

const DOT = { package: { id: 'dot' }, agency: { id: 'fmcsa' } }

/** Without what differs between orders. */
const pageOf = async (status: ServiceStatus, members: object, before: ServiceStatus[] = []) => {
  const { order, secret } = await visited([status], members, before)
  const { text } = await open(service, secret)
  const drawn = text.replaceAll(/<svg[^<]*class="(?:qr|barcode)"[^]*?<\/svg>/g, '')
  return drawn.replaceAll(order.code, 'CODE').replaceAll(secret, 'SECRET')
}

const withGroup = (group: string) =>
  (Object.keys(SERVICE_STATUSES) as ServiceStatus[]).filter((status) => SERVICE_STATUSES[status] === group)

describe('the pass after check-in', () => {
  test.each([
    ['a regulated test', DOT],
    ['a test that is not regulated', {}],
  ])('a complete %s looks the same for every outcome', async (_, members) => {
    const pages = await Promise.all(withGroup('final').map((status) => pageOf(status, members)))
    const sampled = await pageOf('negative', members, ['collected'])
    expect(new Set([...pages, sampled]).size).toBe(1)
    expect(pages[0]).toContain('Your test is complete')
    expect(pages[0]).toContain('class="note info state"')
    expect(pages[0]).not.toContain('class="codes"')
  })

  test('a lost sample is still to do', async () => {
    const { secret } = await visited(['lostInTransit'], DOT, ['collected', 'inTransit'])
    const words = wordsOf(await open(service, secret))
    expect(words).toContain('Still to do: ')
    expect(words).not.toContain('nothing else to book')
  })

  test.each([
    ['a regulated test', DOT],
    ['a test that is not regulated', {}],
  ])('from the laboratory to the report, %s looks the same whatever is found', async (_, members) => {
    const found: ServiceStatus[] = ['inTransit', 'receivedAtLab', 'testing', 'nonNegative', 'mroReview']
    const pages = await Promise.all(found.map((status) => pageOf(status, members)))
    expect(new Set(pages).size).toBe(1)
    expect(pages[0]).toContain('That’s it, you’re done')
  })

  test('a checked-in participant is asked to stay, keeps the codes, and can ask again without a script', async () => {
    const { order, secret } = await visited(['checkedIn'])
    const page = await open(service, secret)
    for (const part of ['You’re checked in', 'until you’re called', order.code, 'Need to leave?', 'Check again'])
      expect(wordsOf(page)).toContain(part)
    expect(page.text).not.toContain('http-equiv="refresh"')
    expect(page.text).not.toMatch(/step=change|step=cancel/)
  })

  test('a reviewed test says who may call, and a complete one whom to ask', async () => {
    const { secret } = await visited(['collected'], DOT)
    const words = wordsOf(await open(service, secret))
    expect(words).toContain('Amara Osei, MD’s office will call you from (312) 555-0190')
    const unreviewed = await visited(['collected'])
    expect(wordsOf(await open(service, unreviewed.secret))).not.toContain('may get a call')
    const done = await visited(['positive'], DOT)
    expect(wordsOf(await open(service, done.secret))).toMatch(/Who to ask Ruth Calder, Acme \(815\) 555-0101/)
  })

  test('tests at different stages have a line each', async () => {
    const { secret } = await visited(['collected', 'checkedIn', 'ordered'], { package: { id: 'several' } })
    expect(wordsOf(await open(service, secret))).toMatch(/Urine Collected Hair Checked in Audiogram To do/)
    const alike = await visited(['collected', 'collected', 'inProgress'], { package: { id: 'several' } })
    expect(wordsOf(await open(service, alike.secret))).toContain('If you’re still at the clinic')
  })

  test('e-mail addresses and phone numbers are masked', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    const page = await open(service, await linkTo(service, order.id))
    expect(wordsOf(page)).toContain('We sent your pass to ma•••@example.com.')
    expect(page.text).not.toContain('maria@')
  })
})

test('the printed pass has the facts for the collector, and of identifiers only the last digits', async () => {
  const { secret } = await visited(['checkedIn'], DOT)
  const response = await fetch(`${service.origin}/o/${secret}/pass.pdf?lang=es`)
  const words = await wordsOfPdf(await readPdf(new Uint8Array(await response.arrayBuffer())))
  for (const part of [
    'Reason for test',
    'DOT agency FMCSA',
    'Directly observed No',
    'Laboratory Heartland Toxicology',
    'Employer representative (DER) Ruth Calder (815) 555-0101',
    'Amara Osei, MD 55 E Monroe Street Chicago, IL 60603 (312) 555-0190',
    'ID ending in 6789',
  ])
    expect(words).toContain(part)
  expect(words).not.toMatch(/1234|56789/)
})
