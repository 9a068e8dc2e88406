import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { mailServer, plainText, type MailServer } from '../notifications/mail-server.ts'
import { cancelled, created } from '../orders/given.ts'
import { eachPage, fillInBrowser, flawsOf, follow, hasBrowser, openBrowser } from './browser.ts'
import {
  completed,
  DETAILS,
  draftOf,
  eventsOf,
  invited,
  linkTo,
  participantService,
  readOrder,
  tomorrow,
} from './given.ts'

describe.skipIf(!hasBrowser)('in a browser', () => {
  const service = participantService()
  const opened = openBrowser()
  let post: MailServer
  let dispatcher: NotificationDispatcher
  let close: () => void
  beforeAll(async () => {
    post = await mailServer()
    const email = smtpTransport(post.url, 'orders.example')
    close = () => email.close()
    dispatcher = new NotificationDispatcher({
      store: service.store,
      channel: 'email',
      transport: email,
      publicUrl: service.origin,
      random: randomBytes,
    })
  })
  afterAll(async () => {
    close()
    await post.close()
  })

  /** The link in the participant's e-mail. */
  async function mailed(members: object): Promise<{ id: string; link: string }> {
    const order = await created(service, members)
    while (await dispatcher.round());
    const mail = post.mails.map(({ source }) => plainText(source)).find((text) => text.includes(order.code))
    return { id: order.id, link: /http:\S+\/o\/[\w-]+/.exec(mail!)![0] }
  }

  describe.each([390, 1280])('%i px wide', (width) => {
    let page: Page
    eachPage(opened, service, { width, use: (fresh) => (page = fresh) })

    test('a participant gets from the e-mail to the pass, and the integrator gets an event', async () => {
      const { id, link } = await mailed({
        package: { id: 'several' },
        settings: { schedulingOption: 'link', expiresIn: 20 },
      })
      await page.goto(link)
      expect(await flawsOf(page, '1-details')).toEqual([])
      await fillInBrowser(page)
      expect(await flawsOf(page, '3-clinics')).toEqual([])
      await page.fill('#place', 'Zzyzx Atlantis ZZ')
      await follow(page, 'text="Search"')
      expect(await page.textContent('.summary')).toContain('We didn’t understand this place.')
      expect(await flawsOf(page, '4-clinics-wrong')).toEqual([])
      await page.fill('#place', 'Aurora IL')
      await follow(page, 'text="Search"')
      await follow(page, 'button[value="aurora"]')
      expect(await flawsOf(page, '5-time')).toEqual([])
      await follow(page, 'text=Get my pass')
      expect(await flawsOf(page, '6-time-wrong')).toEqual([])
      await follow(page, 'text=Back')
      await follow(page, 'button[value="naperville"]')
      await page.check('#way-appointment')
      const { date, time } = tomorrow('10:15', 3)
      await page.fill('#date', date)
      await page.fill('#time', time)
      await follow(page, 'text=Get my pass')
      expect(page.url()).toBe(link)
      const order = await readOrder(service, id)
      expect(await page.textContent('.code')).toBe(order.code)
      expect(await page.textContent('.when')).toContain('10:15')
      expect(await flawsOf(page, '7-pass')).toEqual([])
      expect(order).toMatchObject({ status: 'scheduled', clinic: { id: 'naperville' } })
      expect(order.participant).toMatchObject({ birthDate: DETAILS.birthDate, phone: '+16305550142' })
      expect(await eventsOf(service, id)).toHaveLength(1)
    })

    test('a participant changes and cancels a booking', async () => {
      const { order, secret } = await invited(service)
      await completed(service, secret)
      await page.goto(`${service.origin}/o/${secret}`)
      expect(await flawsOf(page, '8-pass-any-time')).toEqual([])
      await follow(page, 'text=Change clinic or time')
      await follow(page, 'text=Change clinic')
      await follow(page, 'button[value="clockless"]')
      expect(await flawsOf(page, '9-time-without-clock')).toEqual([])
      await page.check('#way')
      await follow(page, 'text=Review the change')
      await follow(page, 'text=Yes, change it')
      expect(await page.textContent('.pass')).toContain('Clinic without a clock')
      await follow(page, 'text=Cancel booking')
      expect(await flawsOf(page, '10-cancel')).toEqual([])
      await follow(page, 'text=Cancel my booking')
      expect(await page.textContent('h1')).toBe('Choose a clinic')
      expect(await flawsOf(page, '11-clinics-again')).toEqual([])
      expect((await readOrder(service, order.id)).clinic).toBeNull()
    })

    test('pages with errors and all notices are accessible', async () => {
      const gone = await invited(service)
      await cancelled(service, gone.order.id)
      const late = await linkTo(service, gone.order.id, { expiresAt: new Date(0) })
      for (const [name, secret] of Object.entries({ wrong: 'nothing', cancelled: gone.secret, expired: late })) {
        await page.goto(`${service.origin}/o/${secret}`)
        expect(await flawsOf(page, `12-${name}`)).toEqual([])
      }
    })

    test('one click switches to Spanish, and later pages stay in Spanish', async () => {
      const { secret } = await invited(service)
      await page.goto(`${service.origin}/o/${secret}`)
      await follow(page, 'text=Español')
      expect(await page.textContent('h1')).toBe('Hola, Maria: haga la cita para su prueba')
      expect(await flawsOf(page, '13-details-es')).toEqual([])
      await follow(page, 'main .fill > button')
      expect(await page.textContent('.summary')).toContain('Escriba su fecha de nacimiento.')
      await follow(page, 'text=English')
      expect(await page.textContent('.summary')).toContain('Enter your date of birth.')
      await follow(page, 'text=Español')
      await fillInBrowser(page)
      await follow(page, 'button[value="naperville"]')
      expect(await flawsOf(page, '14-time-es')).toEqual([])
      await page.check('#way')
      await follow(page, 'text=Obtener mi pase')
      expect(await flawsOf(page, '15-pass-es')).toEqual([])
      expect(page.url()).toContain('lang=es')
    })
  })

  test('an order can be completed with the keyboard alone', async () => {
    const { order, secret } = await invited(service)
    const page = await opened.browser.newPage({ javaScriptEnabled: true })
    await page.goto(`${service.origin}/o/${secret}`)
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent.trim()')
    const tabTo = async (id: string) => {
      for (let steps = 0; (await focused()) !== id && steps < 60; steps++) await page.keyboard.press('Tab')
      expect(await focused()).toBe(id)
    }
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    const type = async (name: string, value: string) => {
      await tabTo(name)
      await page.keyboard.press('Control+A')
      await page.keyboard.type(value)
    }
    for (const [name, value] of [
      ['birthMonth', '3'],
      ['birthDay', '7'],
      ['birthYear', '1990'],
      ['identifierType', 'Driver'],
      ['identifierValue', 'L123-4567'],
      ['identifierState', 'Illinois'],
    ] as const)
      await type(name, value)
    await page.keyboard.press('Enter')
    await tabTo('Continue')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#phone')
    await type('phone', DETAILS.phone)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#line1')
    for (const name of ['line1', 'city', 'state', 'postalCode'] as const)
      await type(name, name === 'state' ? 'Illinois' : DETAILS[name])
    await page.keyboard.press('Enter')
    await page.waitForSelector('#consent')
    await tabTo('consent')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.clinics')
    await tabTo('Choose')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#way')
    await tabTo('way')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.code')
    expect((await readOrder(service, order.id)).status).toBe('scheduled')
    await page.close()
  })

  test('no page scrolls sideways at 320 px, as at 400 % zoom, in either language', async () => {
    const { secret } = await invited(service)
    const page = await opened.browser.newPage({ viewport: { width: 320, height: 640 }, forcedColors: 'active' })
    const draft = await draftOf(service, secret)
    const path = `/o/${secret}`
    await page.context().addCookies([{ name: 'draft', value: draft!, domain: '127.0.0.1', path }])
    const steps = [
      '?',
      '?step=contact',
      '?step=address',
      '?step=check',
      '?step=decline',
      '?step=clinics',
      '?step=time&clinic=naperville',
    ]
    const visit = async (query: string) => {
      await page.goto(`${service.origin}/o/${secret}${query}`)
      await page.evaluate('document.querySelectorAll("details").forEach((each) => (each.open = true))')
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    }
    for (const step of steps) for (const language of ['en', 'es']) await visit(`${step}&lang=${language}`)
    await completed(service, secret, { way: 'appointment', ...tomorrow() })
    for (const step of ['?', '?step=cancel'])
      for (const language of ['en', 'es']) await visit(`${step}&lang=${language}`)
    await page.close()
  })

  test('the pass prints on one page, without links and buttons', async () => {
    const { secret } = await invited(service)
    await completed(service, secret)
    const page = await opened.browser.newPage()
    await page.goto(`${service.origin}/o/${secret}`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.isVisible('.code')).toBe(true)
    expect(await page.isVisible('text=Cancel booking')).toBe(false)
    const pdf = await page.pdf({ format: 'Letter' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
    await page.close()
  })
})
