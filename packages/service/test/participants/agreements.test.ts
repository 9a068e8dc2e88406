import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportPerson } from '../../src/operations/retention/export-person.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport, type Transport } from '../../src/notify/transports.ts'
import { headersOf, mailServer, plainText, type MailServer } from '../notifications/mail-server.ts'
import { cancelled, TENANT } from '../orders/given.ts'
import { operate, OPERATOR } from '../support/operator.ts'
import {
  browserWith,
  completed,
  draftIn,
  fieldsOf,
  filledIn,
  followed,
  invited,
  open,
  participantService,
  participantWorld,
  readOrder,
  submit,
  submitted,
  wordsOf,
  type Page,
} from './given.ts'

const packages = [{ id: 'records', name: 'Records', services: ['criminal'] }]
const der = { name: 'Ruth Calder', phone: '(815) 555-0101' }
const settings = { clinicFeeCap: 100, backgroundProvider: 'checkers', der }
const WORLD = { packages, offered: ['records'], settings }
const service = participantService(WORLD)

const DOT = { package: { id: 'dot' }, agency: { code: 'PHMSA' } }
const BOOK = { step: 'book', clinic: 'naperville', way: 'walkIn' }
const RECORDS = { package: { id: 'records' } }

const agreementsOf = async (id: string): Promise<Record<string, unknown>[]> =>
  (await service.call(OPERATOR, `/api/operator/v1/orders/${id}`)).body.agreements
const helpOf = async (id: string) =>
  (await service.call(OPERATOR, `/api/operator/v1/helpRequests?orderId=${id}`)).body.data
const auditOf = async (id: string) => (await service.call(OPERATOR, `/api/operator/v1/audit?subjectId=${id}`)).body.data

/** The page at a step before the clinics, with the draft by then. */
const at = (step: string, secret: string) => filledIn(service, secret, {}, { until: step })
const shownIn = ({ text }: Page) => /name="shown" value="([\w-]+)"/.exec(text)![1]!
const disclosureIn = ({ text }: Page) => /value="(disclosure:[\w-]+)"/.exec(text)![1]!

describe('ruling 54: what regulated and other orders ask for', () => {
  test('a regulated order shows a notice and a confirmation, names the representative, and asks for no consent', async () => {
    const { order, secret } = await invited(service, DOT)
    const { page, draft } = await at('check', secret)
    const words = wordsOf(page)
    for (const part of ['49 CFR Part 40', 'My details are correct', 'Ruth Calder, (815) 555-0101'])
      expect(words).toContain(part)
    expect(fieldsOf(page)).toEqual([])
    expect(words).not.toMatch(/I agree|I don’t agree/)
    // There is nothing to decline.
    const declined = await open(service, secret, '?step=decline', browserWith(draft))
    expect(declined.headers.get('location')).toBe(`/o/${secret}`)
    const { draft: last } = await filledIn(service, secret)
    await submit(service, secret, BOOK, '', last)
    expect(await agreementsOf(order.id)).toMatchObject([
      {
        kind: 'notice',
        version: 'built-in 1',
        language: 'en',
        signature: null,
        text: expect.stringContaining('Part 40'),
      },
    ])
  })

  test('other orders ask for consent in a box that starts empty and must be ticked', async () => {
    const { order, secret } = await invited(service)
    const { page, draft } = await at('check', secret)
    expect(wordsOf(page)).toContain('I agree to take this test.')
    expect(fieldsOf(page)).toEqual(['consent'])
    expect(page.text).not.toMatch(/<input[^>]*checked/)
    const missed = await submitted(service, secret, { step: 'check', shown: shownIn(page) }, '', draft)
    expect(wordsOf(missed)).toContain('Check the box if you agree.')
    expect(missed.text).toContain('<title>Error: Check your details</title>')
    await completed(service, secret)
    const [agreement] = await agreementsOf(order.id)
    expect(agreement).toMatchObject({ kind: 'consent', text: expect.stringContaining('report the result to Acme.') })
  })

  test('what was agreed to is in the audit log, without personal data', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const [agreement] = await agreementsOf(order.id)
    const entries = await auditOf(order.id)
    const complete = entries.find(({ action }: { action: string }) => action === 'participant.complete')
    expect(complete.after.agreements).toEqual([
      { kind: 'consent', version: 'built-in 1', language: 'en', textHash: agreement!['textHash'] },
    ])
    expect(JSON.stringify(entries)).not.toContain('1990-03-07')
  })

  test('changed details have to be confirmed again', async () => {
    const { secret } = await invited(service)
    const { draft } = await filledIn(service, secret)
    const page = await submitted(service, secret, { step: 'contact', phone: '(630) 555-0199' }, '', draft)
    expect(wordsOf(page)).toContain('Check your details')
  })
})

describe('the tenant’s own texts', () => {
  const consent = { version: '2026-01', en: 'I agree with {company}, says {tenant}.', es: 'Acepto con {company}.' }
  const apply = (texts: object) => {
    const file = participantWorld(WORLD) as { tenant: object }
    return service.apply({ ...file, tenant: { ...file.tenant, texts } })
  }
  afterAll(() => apply({}))

  test('the tenant’s consent takes the place of the built-in one, in the language of the page', async () => {
    await apply({ consent })
    const { order, secret } = await invited(service)
    await completed(service, secret, {}, '?lang=es')
    expect(await agreementsOf(order.id)).toMatchObject([
      { kind: 'consent', version: '2026-01', language: 'es', text: 'Acepto con Acme.' },
    ])
  })

  test('a text that lacks the language of the page is shown in English, and marked as English', async () => {
    await apply({ consent: { version: '1', en: consent.en } })
    const { order, secret } = await invited(service)
    const { page } = await filledIn(service, secret, {}, { until: 'check', query: '?lang=es' })
    expect(page.text).toMatch(/<label for="consent"\s+lang="en"/)
    await completed(service, secret, {}, '?lang=es')
    expect(await agreementsOf(order.id)).toMatchObject([
      { language: 'en', text: 'I agree with Acme, says Tenant north.' },
    ])
  })

  test('a text that changes before the order is completed is shown again', async () => {
    await apply({ consent })
    const { order, secret } = await invited(service)
    const { draft } = await filledIn(service, secret)
    await apply({ consent: { ...consent, version: '2026-02', en: 'I agree to more.' } })
    const page = await submitted(service, secret, BOOK, '', draft)
    expect(wordsOf(page)).toContain('I agree to more.')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
    const stale = await submitted(service, secret, { step: 'check', consent: 'yes', shown: 'other' }, '', draft)
    expect(wordsOf(stale)).toContain('Check your details')
  })

  test('the text is kept once, and markup in it is not markup', async () => {
    await apply({ consent: { version: '3', en: '<b>I agree</b>' } })
    const orders = [await invited(service), await invited(service)]
    for (const { secret } of orders) await completed(service, secret)
    const kept = await service.pool`select text from agreement_texts where text like '%<b>I agree%'`
    expect(kept).toEqual([{ text: '<b>I agree</b>' }])
    const { secret } = await invited(service)
    expect((await at('check', secret)).page.text).toContain('&lt;b&gt;I agree&lt;/b&gt;')
  })
})

describe('ruling 55: background checks', () => {
  test('the disclosure is a page with nothing but its text and a button', async () => {
    const { secret } = await invited(service, RECORDS)
    const { page } = await at('disclosure', secret)
    expect(wordsOf(page)).toMatch(
      /^ Disclosure regarding a background check A Acme Sample text\. Not for production\. /,
    )
    expect(wordsOf(page)).toMatch(/Continue $/)
    const controls = [...page.text.matchAll(/<(a|button|input|select|textarea|footer|details|script)\b/g)]
    expect(controls.map(([, name]) => name)).toEqual(['button'])
    expect(page.text.match(/<form/g)).toHaveLength(1)
  })

  test('an order with only a background check is completed by signing, without a clinic', async () => {
    const { order, secret } = await invited(service, RECORDS)
    const { page: check, draft } = await at('check', secret)
    expect(fieldsOf(check)).toEqual([])
    const disclosure = await submit(service, secret, { step: 'check' }, '', draft)
    expect(disclosure.headers.get('location')).toContain('step=disclosure')
    const shown = await followed(service, disclosure)
    expect(wordsOf(shown)).toMatch(/This is a placeholder\..* prepared by checkers\./)
    const authorization = await submit(service, secret, { step: disclosureIn(shown) }, '', draftIn(disclosure))
    const form = await followed(service, authorization)
    expect(fieldsOf(form)).toEqual(['signature'])
    expect(wordsOf(form)).toContain('ma•••@example.com')
    const fields = { step: 'authorization', shown: shownIn(form) }
    const unsigned = await submit(service, secret, { ...fields, signature: ' ' }, '', draftIn(authorization))
    expect(wordsOf(await followed(service, unsigned))).toContain('Type your full legal name to sign.')
    const foreign = await submit(service, secret, { ...fields, signature: 'Maria Smith' }, '', draftIn(unsigned))
    expect((await followed(service, foreign)).text).toMatch(/first and last name as they are[^]*value="Maria Smith"/)
    const signed = await submit(service, secret, { ...fields, signature: 'MARÍA  J. LOPEZ' }, '', draftIn(foreign))
    expect(signed.headers.get('location')).toBe(`/o/${secret}`)
    expect(await readOrder(service, order.id)).toMatchObject({ status: 'pending', clinic: null })
    const agreements = await agreementsOf(order.id)
    expect(agreements.map(({ kind }) => kind)).toEqual(['disclosure', 'authorization'])
    expect(agreements[1]).toMatchObject({
      version: 'placeholder 2',
      signature: { name: 'MARÍA  J. LOPEZ', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    })
  })

  test('the authorization cannot be signed before the disclosure was shown', async () => {
    const { order, secret } = await invited(service, RECORDS)
    const { draft } = await at('check', secret)
    const checked = await submit(service, secret, { step: 'check' }, '', draft)
    const early = await open(service, secret, '?step=authorization', browserWith(draftIn(checked)))
    expect(wordsOf(early)).toContain('Disclosure regarding a background check')
    const sent = { step: 'authorization', signature: 'Maria Lopez', shown: 'x' }
    const answer = await submit(service, secret, sent, '', draftIn(checked))
    expect(answer.headers.get('location')).toContain('step=disclosure')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('consent to the test and authorization of the check are asked for separately', async () => {
    const { order, secret } = await invited(service, { package: { id: 'background' } })
    await completed(service, secret)
    expect((await agreementsOf(order.id)).map(({ kind }) => kind)).toEqual(['consent', 'disclosure', 'authorization'])
  })

  test('what was signed is kept at once, and sent once, even if no clinic is booked yet', async () => {
    const { order, secret } = await invited(service, { package: { id: 'background' } })
    const { page, draft } = await filledIn(service, secret)
    expect(wordsOf(page)).toContain('Choose a clinic')
    expect((await agreementsOf(order.id)).map(({ kind }) => kind)).toEqual(['disclosure', 'authorization'])
    const copies = async () =>
      (await service.call(OPERATOR, `/api/operator/v1/messages?orderId=${order.id}`)).body.data.filter(
        ({ kind }: { kind: string }) => kind === 'authorizationCopy',
      )
    expect(await copies()).toHaveLength(1)
    expect((await auditOf(order.id)).map(({ action }: { action: string }) => action)).toContain('participant.authorize')
    await submit(service, secret, BOOK, '', draft)
    expect(await agreementsOf(order.id)).toHaveLength(3)
    expect(await copies()).toHaveLength(1)
  })

  test('only tokens that may read participants see the signature', async () => {
    const { order, secret } = await invited(service, RECORDS)
    await filledIn(service, secret)
    const rows = await service.pool<{ signature: Buffer | null }[]>`
      select signature from agreements where order_id = ${order.id} and kind = 'authorization'`
    expect(rows[0]!.signature!.toString('latin1')).not.toContain('Maria')
    expect(JSON.stringify(await auditOf(order.id))).not.toContain('Maria Lopez')
  })
})

describe('the copy of what was authorized', () => {
  let post: MailServer
  let transport: Transport
  let dispatcher: NotificationDispatcher
  beforeAll(async () => {
    post = await mailServer()
    transport = smtpTransport(post.url, 'orders.example')
    const options = { channel: 'email', transport, publicUrl: service.origin, random: randomBytes } as const
    dispatcher = new NotificationDispatcher({ store: service.store, ...options })
  })
  afterAll(async () => {
    transport.close()
    await post.close()
  })

  test('the participant gets both texts and the signature by e-mail, and nobody gets a copy', async () => {
    const cc = [{ type: 'email', to: 'maria@example.com', cc: ['boss@example.com'] }]
    const { secret } = await invited(service, { ...RECORDS, deliveryMethods: cc })
    while (await dispatcher.round());
    post.mails.splice(0)
    await filledIn(service, secret, {}, { query: '?lang=es' })
    while (await dispatcher.round());
    const [mail] = post.mails.splice(0)
    expect(headersOf(mail!.source)).toMatchObject({
      To: 'maria@example.com',
      Subject: expect.not.stringMatching(/test/i),
    })
    expect(mail!.source).not.toContain('boss@example.com')
    const text = plainText(mail!.source)
    for (const part of ['Puede incluir información', 'He leído la divulgación', 'Firmado por Maria Lopez'])
      expect(text).toContain(part)
    expect(text).not.toContain('/o/')
  })
})

describe('a participant who does not agree', () => {
  test('somebody who declines reads what happens next, and an operator sees it', async () => {
    const { order, secret } = await invited(service)
    const { page: check, draft } = await at('check', secret)
    expect(wordsOf(check)).toContain('I don’t agree. What now?')
    const asked = await open(service, secret, '?step=decline', browserWith(draft))
    expect(wordsOf(asked)).toContain('You don’t have to agree')
    const told = await submitted(service, secret, { step: 'decline', helpNote: 'I want to ask first.' }, '', draft)
    expect(wordsOf(told)).toContain('We passed it on')
    const [request] = await helpOf(order.id)
    expect(request).toMatchObject({ reason: 'declined', recipient: 'participant', isOpen: true, code: order.code })
    const read = await service.call(OPERATOR, `/api/operator/v1/helpRequests/${request.id}`)
    expect(read.body.details.note).toBe('I want to ask first.')
    const entry = (await auditOf(order.id)).find(({ action }: { action: string }) => action === 'participant.decline')
    expect(entry.after).toMatchObject({ declined: 'consent', helpRequestId: request.id })
    expect(JSON.stringify(entry)).not.toContain('ask first')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('somebody who declined can come back and agree, which closes the request', async () => {
    const { order, secret } = await invited(service)
    const { draft } = await at('check', secret)
    await submit(service, secret, { step: 'decline' }, '', draft)
    const again = await open(service, secret, '?step=check', browserWith(draft))
    expect(wordsOf(again)).toContain('You told us that you don’t agree')
    await filledIn(service, secret, {}, { draft })
    expect(await helpOf(order.id)).toMatchObject([{ reason: 'declined', isOpen: false, doneBy: null }])
  })

  test('declining the authorization of a background check starts nothing, and ends with the order', async () => {
    const { order, secret } = await invited(service, RECORDS)
    const { page, draft } = await at('authorization', secret)
    expect(wordsOf(page)).toContain('I don’t agree. What now?')
    const told = await submitted(service, secret, { step: 'decline' }, '', draft)
    expect(wordsOf(told)).toContain('Back to the authorization')
    expect((await readOrder(service, order.id)).services[0].status).toBe('linkSent')
    expect(await helpOf(order.id)).toMatchObject([{ reason: 'declined', isOpen: true }])
    await cancelled(service, order.id)
    expect(await helpOf(order.id)).toMatchObject([{ isOpen: false }])
  })

  test('a clinic that an operator books does not settle what was declined', async () => {
    const { order, secret } = await invited(service)
    const { draft } = await at('check', secret)
    await submit(service, secret, { step: 'decline' }, '', draft)
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'naperville' })
    expect(await helpOf(order.id)).toMatchObject([{ reason: 'declined', isOpen: true }])
  })

  test('nobody can decline before the details are complete, nor through the page for help', async () => {
    const { order, secret } = await invited(service)
    expect((await submit(service, secret, { step: 'decline' })).headers.get('location')).toBe(`/o/${secret}`)
    expect(await helpOf(order.id)).toEqual([])
  })
})

test('an export of a person has the agreements, and deleting the order deletes them', async () => {
  const { order, secret } = await invited(service, RECORDS)
  await filledIn(service, secret)
  const exported = await exportPerson(
    {
      selection: { tenantId: TENANT, orders: [order.id], person: false },
      hasDocuments: false,
      record: () => Promise.resolve(''),
    },
    service.store,
  )
  expect(JSON.stringify(exported)).toContain('"kind":"authorization"')
  await service.store.transaction((tx) => tx.orderRemoval.remove(TENANT, [order.id]))
  expect(await service.pool`select id from agreements where order_id = ${order.id}`).toEqual([])
})
