import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { endWork } from '../webhooks/working.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { header, obr, post as postHl7 } from '../intake/given.ts'
import { mailServer } from '../notifications/mail-server.ts'
import { applied, messageAbout, operate, report } from '../support/operator.ts'
import { completed, linkTo, participantWorld, submit } from '../participants/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { columnsOf, foundIn } from '../support/readable.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, cancelled, created, post, SECRET } from './given.ts'

/** Values of a person, a requester, a test and a receiver that must not be readable. */
const SECRETS = {
  firstName: 'Philippa-Zoë',
  lastName: 'Quackenbush',
  middleName: 'Xanthippe',
  birthDate: '1987-11-23',
  birthDateInHl7: '19871123',
  email: 'pz.quack@people.example',
  phone: '6305550173',
  line1: '4711 Wintergreen Terrace',
  city: 'Downers Grove',
  ssn: '536-22-8841',
  license: 'L555-7788-9900',
  typedEmail: 'typed.address@people.example',
  typedPhone: '6305550188',
  typedLine: '1 Typed Lane',
  typedLicense: 'T999-1122',
  requesterEmail: 'r.mapplethorpe@acme.example',
  requesterLast: 'Mapplethorpe',
  requesterPhone: '6305550166',
  copyTo: 'files.copy@acme.example',
  textedPhone: '6305550155',
  otherReason: 'probableCause',
  cancelReason: 'Mother of the participant called',
  billingCode: 'BILL-PZ-0042',
  hookPath: 'hook-path-9f31',
  hookQuery: 'query-secret-77aa',
  hookToken: 'bearer-secret-5d2c',
  hookHeader: 'header-secret-e88b',
  echoed: 'we got your order for',
  refusal: 'mailbox-of-philippa-is-full',
  specimen: 'SPEC-PZ-31337',
  tracking: 'TRACK-PZ-5150',
  finding: 'THC far above the cutoff',
  resultReason: 'Seal of the specimen was broken',
  documentName: 'Report on Ms Quack.pdf',
  documentText: 'Nothing to see in this PDF',
  hl7Note: 'Donor was nervous',
}

const PERSON = {
  firstName: SECRETS.firstName,
  lastName: SECRETS.lastName,
  middleName: SECRETS.middleName,
  birthDate: SECRETS.birthDate,
  email: SECRETS.email,
  phone: `(630) 555-0173`,
  address: { line1: SECRETS.line1, city: SECRETS.city, state: 'IL', postalCode: '60515' },
  identifiers: [
    { type: 'ssn', value: SECRETS.ssn },
    { type: 'driverLicense', value: SECRETS.license, issuingState: 'IL' },
  ],
}

const REQUESTER = {
  email: SECRETS.requesterEmail,
  firstName: 'Dana',
  lastName: SECRETS.requesterLast,
  phone: '(630) 555-0166',
}

let service: TestService
let columns: Map<string, string>
let orderId: string

beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(participantWorld())
  await liveIn()
  columns = await columnsOf(service.pool)
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

/** Everything that the service does with orders, once. */
async function liveIn(): Promise<void> {
  const echo = await httpReceiver((_, response) => {
    response.end(`${SECRETS.echoed} ${echo.requests.at(-1)!.body.toString()}`)
  })
  const broken = await httpReceiver((_, response) => response.writeHead(500).end(SECRETS.echoed))
  const callbackTo = (origin: string) => ({
    url: `${origin.replace(/\/$/, '')}/${SECRETS.hookPath}?key=${SECRETS.hookQuery}`,
    headers: { 'X-Header': SECRETS.hookHeader },
    auth: { type: 'bearer', token: SECRETS.hookToken, secretKey: SECRETS.hookToken },
  })
  const common = {
    participant: PERSON,
    requester: REQUESTER,
    deliveryMethods: [{ type: 'email', to: SECRETS.email, cc: [SECRETS.copyTo] }],
    testReason: 'other',
    otherTestReason: SECRETS.otherReason,
    settings: { schedulingOption: 'link', billingCode: SECRETS.billingCode },
    orderMatching: { enabled: true },
  }
  const first = await created(service, { ...common, callback: callbackTo(echo.url) }, { path: '/api/v1/orders' })
  orderId = first.id
  await post(service, body({ ...common, callback: callbackTo(broken.url) }), { headers: { 'idempotency-key': 'once' } })
  await bookings(common)
  await results(first)
  const gone = await created(service, {
    ...common,
    orderMatching: { enabled: false },
    callback: callbackTo('http://127.0.0.1:1'),
  })
  await cancelled(service, gone.id, { reason: SECRETS.cancelReason })
  await deliverAll(service)
  await mails()
  await operate(service, 'GET', `/orders/${first.id}`)
  await service.call(SECRET, `/api/v2/orders?specimenId=${SECRETS.specimen}`)
}

/** Pages of a participant and of a requester, and a text message. */
async function bookings(common: object): Promise<void> {
  const open = { ...common, orderMatching: { enabled: false } }
  const bare = { firstName: SECRETS.firstName, lastName: SECRETS.lastName }
  const link = await created(service, { ...open, participant: bare })
  const typed = { email: SECRETS.typedEmail, phone: '(630) 555-0188', line1: SECRETS.typedLine }
  const page = await completed(service, await linkTo(service, link.id), {
    ...typed,
    birthDate: SECRETS.birthDate,
    identifierValue: SECRETS.typedLicense,
  })
  expect(page.status).toBe(303)
  const chosen = await created(service, {
    ...open,
    settings: { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects' },
  })
  const requester = await linkTo(service, chosen.id, { recipient: 'requester' })
  expect((await submit(service, requester, { step: 'book', clinic: 'naperville', way: 'walkIn' })).status).toBe(303)
  await created(service, { ...open, deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0155' }] })
  await operate(service, 'GET', '/bookings?clinicId=naperville')
}

async function results(order: { code: string; services: { id: string }[] }): Promise<void> {
  const [first] = order.services
  const operator = (path: string, sent: object) => operate(service, 'POST', `/orders/${order.code}${path}`, sent)
  await operator(`/services/${first!.id}/moves`, { status: 'checkedIn' })
  const specimen = { id: SECRETS.specimen }
  await applied(service, messageAbout(order, { kind: 'collector', event: 'collected', specimen }))
  const transit = { event: 'inTransit', courier: 'Swift', trackingNumber: SECRETS.tracking }
  await applied(service, messageAbout(order, { kind: 'courier', ...transit }))
  await applied(service, messageAbout({ code: order.code }, { match: { specimenId: SECRETS.specimen } }))
  await applied(service, messageAbout(order, { event: 'testing' }))
  const pdf = Buffer.from(`%PDF-1.7 ${SECRETS.documentText}`).toString('base64')
  const result = messageAbout(order, {
    event: 'result',
    result: 'adulterated',
    reason: SECRETS.resultReason,
    participant: { firstName: SECRETS.firstName, lastName: SECRETS.lastName, birthDate: SECRETS.birthDate },
    analytes: [{ name: 'THC', result: SECRETS.finding }],
    documents: [{ name: SECRETS.documentName, contentType: 'application/pdf', content: pdf }],
  })
  await applied(service, result)
  expect((await report(service, result)).status).toBe(200)
  const hl7 = [
    header(),
    `PID|1||900001^^^NORTH^MR||${SECRETS.lastName}^${SECRETS.firstName}||${SECRETS.birthDateInHl7}|F`,
    obr({ code: 'ZZZZ-ZZZZ' }),
    'OBX|1|CWE|OVERALL^OVERALL RESULT^L||260385009^Negative^SCT||||||F',
    `NTE|1||${SECRETS.hl7Note}`,
    '',
  ].join('\r')
  expect((await postHl7(service, hl7)).status).toBe(202)
}

/** A mail server that accepts mails, after one that refuses them with names in its reply. */
async function mails(): Promise<void> {
  const refusing = await mailServer({ objecting: () => `550 ${SECRETS.refusal}` })
  const taking = await mailServer()
  for (const server of [refusing, taking]) {
    const transport = smtpTransport(server.url, 'orders.example')
    const options = { channel: 'email' as const, transport, publicUrl: 'https://orders.example' }
    const postman = new NotificationDispatcher({ store: service.store, ...options, random: randomBytes })
    while (await postman.round());
    await service.pool`update notifications set due_at = now() where state = 'waiting' and attempts > 0`
    transport.close()
    await server.close()
  }
}

describe('a database with orders in all stages', () => {
  test('every table with data of people, results or receivers has rows', () => {
    const tables = new Set([...columns.keys()].map((key) => key.split('.')[0]))
    for (const table of [
      'orders',
      'callbacks',
      'events',
      'deliveries',
      'delivery_attempts',
      'order_matches',
      'idempotency_keys',
      'notifications',
      'notification_attempts',
      'order_links',
      'result_reports',
      'documents',
      'audit_entries',
    ])
      expect(tables).toContain(table)
    // Proves that the search finds values that are not sealed.
    expect(foundIn(columns, { id: orderId })).toContain('id in orders.id')
    expect(columns.get('callbacks.origin')).toContain('http://127.0.0.1')
  })

  test('no column shows people, results or secrets of receivers in plain text', () => {
    // An operator’s change is recorded in the audit log with what was changed, the specimen of a service included.
    const found = foundIn(columns, SECRETS).filter((place) => !/^(specimen|tracking) in audit_entries\./.test(place))
    expect(found).toEqual([])
  })

  test('the result of an order is visible only as its status, in the columns that lists need', () => {
    const known = new Set([
      'orders.status',
      'order_changes.new_status',
      'order_changes.old_status',
      'order_chunks.list',
    ])
    const found = foundIn(columns, { adulterated: 'adulterated' }).map((place) => place.replace(/^.* in /, ''))
    expect(found).toContain('orders.status')
    expect(found.filter((column) => !known.has(column) && !column.startsWith('audit_entries.'))).toEqual([])
  })

  test('authorised readers still get everything', async () => {
    const { body: order } = await service.call(SECRET, `/api/v2/orders/${orderId}`)
    expect(order).toMatchObject({
      status: 'adulterated',
      otherTestReason: SECRETS.otherReason,
      participant: { firstName: SECRETS.firstName, birthDate: SECRETS.birthDate, address: { line1: SECRETS.line1 } },
    })
    expect(order.participant.identifiers).toMatchObject([{ value: SECRETS.ssn }, { value: SECRETS.license }])
    const { body: page } = await service.call(SECRET, `/api/v2/orders?specimenId=${SECRETS.specimen}`)
    expect(page).toMatchObject({ total: 1, data: [{ id: orderId }] })
    const { data } = (await operate(service, 'GET', `/deliveries?order=${orderId}&state=delivered`)).body
    const log = (await operate(service, 'GET', `/deliveries/${data[0].id}`)).body
    expect(log.callbackUrl).toContain(`/${SECRETS.hookPath}`)
    expect(log.callbackUrl).not.toContain(SECRETS.hookQuery)
    expect(JSON.stringify(log)).toContain(SECRETS.echoed)
  })
})
