import { describe, expect, test } from 'vitest'
import type { HelpRequest } from '@order-testing/contract/operator'
import { contentOf } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { changed, followed, open, readOrder, submit, submitted, wordsOf, type Page } from './given.ts'
import { atClinics, requesterAtClinics, TUESDAY, visitService } from './visit-given.ts'

const visit = visitService()
const { service } = visit

const offered = ({ text }: Page) => [...text.matchAll(/name="clinic" value="([\w-]+)"/g)].map(([, id]) => id)
const cardOf = (page: Page, number: number) =>
  wordsOf({ ...page, text: page.text.split(/<li class="card clinic/)[number]!.split('</li>\n</ol>')[0]! })
/** The times on a page, as they are read. */
const timesIn = ({ text }: Page) =>
  text
    .split('<label class="slot"')
    .slice(1)
    .map((label) => {
      const [, at = '', rest = ''] = /value="([^"]+)"[^>]*>([\s\S]*?)<\/label/.exec(label) ?? []
      const words = rest.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
      return [at, words.trim()] as const
    })

describe('the list of clinics', () => {
  test('each clinic says whether it is open, how far it is and how it takes people', async () => {
    const page = await open(service, (await atClinics(visit)).secret)
    expect(offered(page)).toEqual(['naperville', 'aurora', 'joliet', 'ohare', 'west-loop'])
    expect(cardOf(page, 1)).toMatch(/under 1.mi .*about 2.min drive .*Open until 5.PM Walk-ins Appointments Nearest/)
    expect(cardOf(page, 3)).toMatch(/15.mi .*Open until 7.PM Walk-ins only/)
    expect(cardOf(page, 4)).toContain('Open 24 hours')
    expect(cardOf(page, 5)).toMatch(/Opens Wed 8:30.AM Appointments Choose/)
    expect(page.text).toContain('href="https://www.google.com/maps/dir/?destination=41.7633%2C-88.1424&amp;api=1"')
    expect(page.text).toMatch(/maps\/dir\/[^>]*rel="noreferrer"/)
  })

  test('a clinic that opens after the deadline comes last, has no button and says why', async () => {
    const page = await open(service, (await atClinics(visit)).secret)
    expect(cardOf(page, 6)).toMatch(
      /Calumet Works Clinic .*Opens Sun, Nov.22 .*It opens after your deadline, Fri, Nov.20/,
    )
    expect(cardOf(page, 6)).not.toContain('Choose')
  })

  test('filters are links that turn on and off, and keep the place', async () => {
    const { secret } = await atClinics(visit)
    expect(offered(await open(service, secret, '?step=clinics&openNow=yes'))).toEqual(['naperville', 'joliet', 'ohare'])
    const walkIns = await open(service, secret, '?step=clinics&walkIns=yes&place=Joliet+IL')
    expect(offered(walkIns)).toEqual(['joliet', 'naperville', 'aurora', 'ohare'])
    expect(wordsOf(walkIns)).toMatch(/\d clinics take walk-ins/)
    expect(walkIns.text).toMatch(/href="[^"]*place=Joliet\+IL&amp;walkIns=yes&amp;openSaturday=yes"/)
    expect(walkIns.text).toMatch(/href="[^"]*step=clinics&amp;place=Joliet\+IL" aria-current="true"/)
    expect(walkIns.text).toContain('<input type="hidden" name="walkIns" value="yes" />')
    const both = await open(service, secret, '?step=clinics&openSaturday=yes&walkIns=yes')
    expect(offered(both)).toEqual(['naperville', 'joliet', 'ohare'])
    expect(wordsOf(both)).toContain('Saturday is after your deadline. These clinics are open Saturdays, but go by Fri')
    const none = await open(service, secret, '?step=clinics&openNow=yes&place=Rockford+IL')
    expect(wordsOf(none)).toMatch(/No clinic within 50 miles matches this\. Show all clinics|miles, nearest first/)
  })

  test.each([
    ['Napervile il', 'Naperville, IL'],
    ['napervlle', 'Naperville, IL'],
    ['Chicgao', 'Chicago, IL'],
    ['St. Louis', 'Saint Louis, MO'],
    ['12 Main Street, Fort Wort TX', 'Fort Worth, TX'],
  ])('a search for "%s" is understood as %s, and the page says so', async (place, name) => {
    const page = await open(
      service,
      (await atClinics(visit)).secret,
      `?step=clinics&place=${encodeURIComponent(place)}`,
    )
    expect(wordsOf(page)).toContain(`Showing clinics near ${name} .`)
    expect(page.text).toContain(`value="${place}"`)
  })

  test('of towns with the same name, the one in the own state is shown and the others are links', async () => {
    const { secret } = await atClinics(visit)
    const page = await open(service, secret, '?step=clinics&place=Springfeild')
    expect(wordsOf(page)).toContain('Showing clinics near Springfield, IL . Or: Springfield, MA')
    const [, other] = /href="\/o\/([^"]*place=Springfield%2C\+MO[^"]*)"/.exec(page.text)!
    expect(wordsOf(await open(service, other!.replaceAll('&amp;', '&')))).toContain('near Springfield, MO .')
  })

  test('if no clinic is in reach, help comes first and the nearest clinics next', async () => {
    const { secret } = await atClinics(visit)
    const words = wordsOf(await open(service, secret, '?step=clinics&place=Mullen+NE'))
    expect(words).toMatch(
      /No clinic within 50 miles None near Mullen, NE can do this test.*usually within 4 business hours\. Ask for help Nearest clinics .*about 11.h 30.min drive/,
    )
  })
})

describe('the times of a clinic', () => {
  test('the way back to the list keeps the place and the filters', async () => {
    const { secret } = await atClinics(visit)
    const list = await open(service, secret, '?step=clinics&place=Naperville%2C+IL&walkIns=yes')
    expect(list.text).toMatch(/<form class="clinicform"[^]*?name="walkIns" value="yes"/)
    const page = await open(service, secret, '?step=time&clinic=naperville&place=Naperville%2C+IL&walkIns=yes')
    expect(page.text).toMatch(/href="[^"]*step=clinics&amp;place=Naperville%2C\+IL&amp;walkIns=yes"/)
  })

  test('walking in comes first if the clinic is open today, then days with hours and slots by half day', async () => {
    const { order, secret } = await atClinics(visit)
    const page = await open(service, secret, '?step=time&clinic=naperville&day=2026-11-18')
    expect(wordsOf(page)).toMatch(
      /Walk in today, until 5.PM No appointment\. Arrive by 4:15.PM .*or book a time .*Today 17 until 5 .*Wed 18 8–5 .*Sat 21 9–1 .*Central Time\. Saturday is after your deadline\. Morning .*8:00.AM .*Afternoon 12:00.PM/,
    )
    await submit(service, secret, { step: 'book', clinic: 'naperville', slot: 'walkIn' })
    expect(await contentOf(service, order.id)).toMatchObject({ clinic: { id: 'naperville' }, appointmentAt: null })
  })

  test('a clinic for walk-ins only asks for the planned arrival', async () => {
    const { order, secret } = await atClinics(visit)
    const page = await open(service, secret, '?step=time&clinic=joliet')
    expect(wordsOf(page)).toMatch(
      /This clinic takes walk-ins only\. .*Planned arrival .*In the next hour .*This afternoon, 4 – 5.PM .*This evening, 5 – 7.PM Arrive by 6:15.PM/,
    )
    expect(wordsOf(page)).not.toMatch(/an appointment/i)
    await submit(service, secret, { step: 'book', clinic: 'joliet', slot: '2026-11-17T23:00:00.000Z' })
    expect(await contentOf(service, order.id)).toMatchObject({ appointmentAt: '2026-11-17T23:00:00.000Z' })
    const pass = wordsOf(await open(service, secret))
    expect(pass).toMatch(
      /Your arrival is planned, .*Planned arrival Tue, Nov.17, 5.PM CT A walk-in: no time is reserved/,
    )
    expect(pass).not.toMatch(/book|an appointment/i)
    const calendar = await open(service, `${secret}/appointment.ics`)
    expect(calendar.text).toContain('SUMMARY:Planned arrival at ')
    expect(calendar.headers.get('content-disposition')).toContain('arrival.ics')
  })

  test('of two people who book the last place at once, one gets it and the other the closest free time', async () => {
    const people = await Promise.all([atClinics(visit), requesterAtClinics(visit)])
    const slot = '2026-11-19T15:00:00.000Z'
    const fields = { step: 'book', clinic: 'naperville', slot }
    const answers = await Promise.all(people.map(({ secret }) => submit(service, secret, fields)))
    const orders = await Promise.all(people.map(({ order }) => readOrder(service, order.id)))
    const statuses = orders.map(({ status }) => status as string)
    expect(new Set(statuses)).toEqual(new Set(['ordered', 'scheduled']))
    const loser = orders.findIndex(({ status }) => status === 'ordered')
    const page = await followed(service, answers[loser]!)
    expect(wordsOf(page)).toMatch(
      /That time was just taken Someone else booked Thu, Nov.19, 9.AM a moment ago\. Nothing is booked .*Pick 9:30.AM, the closest free time/,
    )
    const closest = new Date('2026-11-19T15:30:00.000Z')
    expect(page.text).toContain(`href="#slot-${closest.getTime()}"`)
    expect(page.text).toMatch(new RegExp(`value="${closest.toISOString()}"\\s+checked`))
    expect(page.text).toMatch(new RegExp(`value="${slot}"\\s+disabled`))
    expect(timesIn(page)).toContainEqual([slot, '9:00 AM , full'])
    await submit(service, people[loser]!.secret, { ...fields, slot: closest.toISOString() })
    expect(await contentOf(service, people[loser]!.order.id)).toMatchObject({ appointmentAt: closest.toISOString() })
  })

  test('somebody who loses a race while changing keeps the booking', async () => {
    const [first, second] = [await atClinics(visit), await atClinics(visit)]
    const book = (secret: string, slot: string) => submit(service, secret, { step: 'book', clinic: 'naperville', slot })
    await book(first.secret, '2026-11-18T21:00:00.000Z')
    await book(second.secret, '2026-11-18T22:00:00.000Z')
    const answer = await changed(service, second.secret, { clinic: 'naperville', slot: '2026-11-18T21:00:00.000Z' })
    expect(wordsOf(await followed(service, answer))).toContain('Your booking hasn’t changed.')
    expect(await contentOf(service, second.order.id)).toMatchObject({ appointmentAt: '2026-11-18T22:00:00.000Z' })
  })
})

describe('days on which the clocks change', () => {
  const onDay = async (now: string, day: string) => {
    visit.clock.now = new Date(now)
    try {
      const { order, secret } = await atClinics(visit, { expiresIn: 20 })
      return { order, secret, page: await open(service, secret, `?step=time&clinic=ohare&day=${day}`) }
    } finally {
      visit.clock.now = TUESDAY
    }
  }

  test('in spring no time is in the skipped hour', async () => {
    const { page } = await onDay('2027-03-10T18:00:00.000Z', '2027-03-14')
    const times = timesIn(page)
    expect(times.slice(2, 6)).toEqual([
      ['2027-03-14T07:00:00.000Z', '1:00 AM'],
      ['2027-03-14T07:30:00.000Z', '1:30 AM'],
      ['2027-03-14T08:00:00.000Z', '3:00 AM'],
      ['2027-03-14T08:30:00.000Z', '3:30 AM'],
    ])
    expect(times).toHaveLength(46)
    const { page: after } = await onDay('2027-03-10T18:00:00.000Z', '2027-03-15')
    expect(timesIn(after)[0]).toEqual(['2027-03-15T05:00:00.000Z', '12:00 AM'])
  })

  test('in autumn the times of the repeated hour differ, and each can be booked', async () => {
    const { order, secret, page } = await onDay('2027-11-03T18:00:00.000Z', '2027-11-07')
    const times = timesIn(page)
    expect(times.slice(1, 7)).toEqual([
      ['2027-11-07T05:30:00.000Z', '12:30 AM'],
      ['2027-11-07T06:00:00.000Z', '1:00 AM CDT'],
      ['2027-11-07T06:30:00.000Z', '1:30 AM CDT'],
      ['2027-11-07T07:00:00.000Z', '1:00 AM CST'],
      ['2027-11-07T07:30:00.000Z', '1:30 AM CST'],
      ['2027-11-07T08:00:00.000Z', '2:00 AM'],
    ])
    expect(times).toHaveLength(50)
    visit.clock.now = new Date('2027-11-03T18:00:00.000Z')
    await submit(service, secret, { step: 'book', clinic: 'ohare', slot: '2027-11-07T07:30:00.000Z' })
    visit.clock.now = TUESDAY
    expect(await contentOf(service, order.id)).toMatchObject({ appointmentAt: '2027-11-07T07:30:00.000Z' })
  })
})

describe('asking for help', () => {
  const requestsOf = async (id: string): Promise<HelpRequest[]> =>
    (await operate(service, 'GET', `/helpRequests?isOpen=true&orderId=${id}`)).body.data
  const HELP = { step: 'help', helpReason: 'tooFar', helpMiles: '75', helpNote: 'Nights.', place: 'Mullen, NE' }

  test('a participant sees masked contacts, and afterwards what happens next until a clinic is booked', async () => {
    const { order, secret } = await atClinics(visit)
    const form = await open(service, secret, '?step=help&place=Mullen+NE')
    expect(wordsOf(form)).toContain('We’ll reach you at (•••) •••-0142 · ma•••@example.com')
    expect(form.text).not.toContain('maria@example.com')
    const sent = await submitted(service, secret, HELP)
    expect(wordsOf(sent)).toMatch(
      /We’re on it Tenant north has your request, sent Tue, Nov.17, 2:12.PM CT\. .*Usually within 4 business hours .*Your deadline is still Fri, Nov.20.*Call Tenant north \(888\) 555-0120 and give order code/,
    )
    expect(await requestsOf(order.id)).toMatchObject([{ reason: 'tooFar', recipient: 'participant' }])
    expect(wordsOf(await open(service, secret))).toContain('We’re on it')
    expect(wordsOf(await open(service, secret, '?step=clinics'))).toContain('We’re looking for a clinic for you.')
    await submit(service, secret, { step: 'book', clinic: 'naperville', slot: 'walkIn' })
    expect(wordsOf(await open(service, secret))).not.toContain('We’re on it')
    expect(await requestsOf(order.id)).toEqual([])
  })

  test('a requester asks for help too', async () => {
    const { order, secret } = await requesterAtClinics(visit)
    expect((await open(service, secret)).text).toContain('step=help')
    const sent = await submitted(service, secret, { ...HELP, helpReason: 'noTime' })
    expect(wordsOf(sent)).toContain('We’re on it')
    expect(await requestsOf(order.id)).toMatchObject([{ reason: 'noTime', recipient: 'requester' }])
  })
})
