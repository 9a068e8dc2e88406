import { randomBytes } from 'node:crypto'
import ICAL from 'ical.js'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { created, PERSON } from '../orders/given.ts'
import { eachPage, flawsOf, follow, hasBrowser, openBrowser } from '../participants/browser.ts'
import { participantWorld } from '../participants/given.ts'
import { operate } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let mailed: { id: string; code: string }
let texted: { id: string; code: string }
beforeAll(async () => {
  service = await startService()
  await service.apply(participantWorld())
  texted = await created(service, { deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
  mailed = await created(service, {
    participant: PERSON,
    deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc: ['hr@example.com'] }],
  })
  const appointmentAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  await operate(service, 'PUT', `/orders/${mailed.id}/clinic`, { clinicId: 'naperville', appointmentAt })
  for (const channel of ['mobile', 'email'] as const) {
    const transport = mailboxTransport(service.store, channel, randomBytes)
    const options = { channel, transport, publicUrl: service.origin, random: randomBytes }
    const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
    while (await dispatcher.round());
  }
})
afterAll(() => service.stop())

interface Kept {
  id: string
  to: string
  order: string
  channel: string
  subject?: string
  isCopy?: boolean
  attachments: { filename: string; url: string }[]
}

const list = async (query = ''): Promise<{ data: Kept[]; total: number }> =>
  (await service.call('', `/sandbox/mailbox.json${query}`)).body

describe('the mailbox as JSON', () => {
  test('messages are filtered by order and by address, copies included', async () => {
    const all = await list()
    expect(all.total).toBe(5)
    const ofOrder = await list(`?order=${mailed.code.toLowerCase()}`)
    expect(ofOrder.data.map(({ to, order, isCopy }) => [to, order, isCopy ?? false].join(' ')).toSorted()).toEqual([
      `hr@example.com ${mailed.code} true`,
      `hr@example.com ${mailed.code} true`,
      `maria@example.com ${mailed.code} false`,
      `maria@example.com ${mailed.code} false`,
    ])
    expect((await list('?address=630-555-0142')).data).toMatchObject([{ channel: 'mobile', order: texted.code }])
    expect((await list('?address=HR@example')).data.every(({ to, isCopy }) => to !== 'hr@example.com' || isCopy)).toBe(
      true,
    )
    expect((await list('?order=none')).total).toBe(0)
  })

  test('attachments can be downloaded', async () => {
    const { data } = await list(`?order=${mailed.code}`)
    const [file] = data.find(({ attachments }) => attachments.length > 0)!.attachments
    const answer = await service.call('', file!.url)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="appointment.ics"')
    expect(answer.headers.get('content-type')).toContain('text/calendar')
    expect(() => ICAL.parse(answer.text) as unknown).not.toThrow()
    expect((await service.call('', file!.url.replace(/\d+$/, '7'))).status).toBe(404)
    expect((await service.call('', '/sandbox/mailbox/mbx_none/page')).status).toBe(404)
  })

  test('the page of a mail runs nothing and can be framed by the mailbox only', async () => {
    const { data } = await list(`?order=${mailed.code}`)
    const { headers } = await service.call('', `/sandbox/mailbox/${data[0]!.id}/page`)
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'self'.*sandbox allow-popups/)
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin/)
  })
})

describe.skipIf(!hasBrowser).each([390, 1280])('the mailbox in a browser, %i px wide', (width) => {
  const opened = openBrowser()
  let page: Page
  const origin = { origin: '' }
  beforeEach(() => {
    origin.origin = service.origin
  })
  eachPage(opened, origin, { width, use: (used) => (page = used) })

  test('all views of the mailbox are accessible and work without scripts', async () => {
    await page.goto(`${service.origin}/sandbox/mailbox`)
    expect(await flawsOf(page, 'mailbox-list')).toEqual([])
    await page.fill('[name=order]', mailed.code)
    await follow(page, '.filter button')
    expect(await page.locator('.mails li').count()).toBe(4)
    await follow(page, '.mails a:has-text("Booked"):not(:has-text("Copy"))')
    expect(await page.locator('.letter').isVisible()).toBe(true)
    expect(await page.locator('.pile').isVisible()).toBe(width > 900)
    const mail = page.frameLocator('iframe')
    expect(await mail.locator('h1').textContent()).toMatch(/booked/)
    expect(await page.locator('.files').textContent()).toContain('appointment.ics')
    for (const [tab, name] of [
      ['HTML', 'html'],
      ['Text', 'text'],
      ['Phone', 'phone'],
    ]) {
      await follow(page, `.tabs a:has-text("${tab}")`)
      expect(await flawsOf(page, `mailbox-${name}`)).toEqual([])
    }
    await page.goto(`${service.origin}/sandbox/mailbox?order=${texted.code}`)
    await follow(page, '.mails a')
    expect(await page.textContent('.bubble')).toContain('Reply HELP for help, STOP to opt out.')
    expect(await flawsOf(page, 'mailbox-sms')).toEqual([])
    await page.goto(`${service.origin}/sandbox/mailbox?order=none`)
    expect(await page.textContent('main')).toContain('No messages match.')
  })
})
