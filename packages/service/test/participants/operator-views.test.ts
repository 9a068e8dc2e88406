import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { created, PERSON, TENANT } from '../orders/given.ts'
import { applied, DISCREET_OPERATOR, messageAbout, operate, report, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { addedUser, asPage, signedIn } from '../users/given.ts'

const CLINIC = {
  id: 'aurora',
  name: 'Aurora Clinic',
  services: ['urine', 'dot-urine'],
  address: { line1: '1 Main Street', city: 'Aurora', state: 'IL', postalCode: '60502' },
}
const PDF = {
  name: 'Result.pdf',
  contentType: 'application/pdf',
  content: Buffer.from('%PDF-1.7 r').toString('base64'),
}

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ clinics: [CLINIC] }))
})
afterAll(() => service.stop())

const documents = async (id: string) => (await operate(service, 'GET', `/orders/${id}/documents`)).body.data
const read = (id: string, documentId: string) => operate(service, 'GET', `/orders/${id}/documents/${documentId}`)
const entries = async (subjectId: string, action: string) =>
  (await operate(service, 'GET', `/audit?subjectId=${subjectId}&action=${action}`)).body.total as number

describe('documents of an order', () => {
  test('what came with reports, the pass and what was signed are listed and read, and each read is recorded', async () => {
    const order = await created(service, { participant: PERSON })
    expect(await documents(order.id)).toEqual([])
    await applied(service, messageAbout(order, { event: 'collected', kind: 'collector', documents: [PDF] }))
    await service.store.agreements.add([
      {
        tenantId: TENANT,
        id: `agr_${order.id.slice(4)}`,
        orderId: order.id,
        kind: 'authorization',
        version: '1',
        language: 'en',
        text: 'I authorize it.',
        textHash: 'hash',
        agreedAt: new Date(),
        signature: { name: 'Maria Lopez', date: '2027-01-31' },
      },
    ])
    const [agreement, form] = (await documents(order.id)).toSorted((a: { kind: string }, b: { kind: string }) =>
      a.kind < b.kind ? -1 : 1,
    )
    expect(form).toMatchObject({ kind: 'collection', name: 'Result.pdf', hiddenFor: null })
    expect((await read(order.code, form.id)).text).toBe('%PDF-1.7 r')
    expect(await entries(form.id, 'document.read')).toBe(1)
    const signed = await read(order.id, agreement.id)
    expect(signed.headers.get('content-type')).toContain('text/plain')
    expect(signed.text).toContain('signed "Maria Lopez"')
  })

  test('a booked order has the pass as a PDF', async () => {
    const order = await created(service, { participant: PERSON })
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
    expect(await documents(order.id)).toMatchObject([{ id: 'pass', kind: 'pass', name: `pass-${order.code}.pdf` }])
    const pass = await read(order.id, 'pass')
    expect(pass.headers.get('content-type')).toBe('application/pdf')
    expect(pass.text).toMatch(/^%PDF/)
    expect(await entries(order.id, 'document.read')).toBe(1)
  })

  test('a document of the laboratory stays hidden until the medical reviewer has decided', async () => {
    const order = await created(service, { participant: PERSON, package: { id: 'dot' }, agency: { code: 'PHMSA' } })
    await report(service, messageAbout(order, { event: 'testing', documents: [PDF] }))
    const [hidden] = await documents(order.id)
    expect(hidden).toMatchObject({ hiddenFor: 'review' })
    const refused = await read(order.id, hidden.id)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('49 CFR 40.97')])
    expect(await entries(hidden.id, 'document.read')).toBe(0)
  })

  test('a document of another order is not found', async () => {
    const [order, other] = [await created(service), await created(service)]
    await applied(service, messageAbout(order, { documents: [PDF] }))
    const [document] = await documents(order.id)
    expect((await read(other.id, document.id)).status).toBe(404)
  })
})

describe("the participant's page for operators", () => {
  const view = async (id: string) => (await operate(service, 'POST', `/orders/${id}/participantViews`)).body
  const load = (url: string, init: RequestInit = {}) => fetch(service.origin + url, { redirect: 'manual', ...init })

  test('it shows the page as it is now, lets nothing be sent, and is recorded', async () => {
    const order = await created(service, { participant: PERSON })
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
    const { url } = await view(order.code)
    const page = await load(url)
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Aurora Clinic')
    expect(text).toContain('Read-only view')
    expect(await (await load(`${url}?lang=es`)).text()).toContain('Vista de solo lectura para operadores.')
    expect(text).not.toMatch(/(?:action|href)="\/o\/(?!assets)/)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'none'.*; sandbox allow-same-origin$/)
    expect((await load(url, { method: 'POST', body: new URLSearchParams({ step: 'cancel' }) })).status).toBe(405)
    expect(await entries(order.id, 'order.viewAsParticipant')).toBe(1)
    const opened = await service.pool`
      select from order_links where tenant_id = ${TENANT} and order_id = ${order.id} and opened_at is not null`
    expect(opened).toHaveLength(0)
  })

  test('it works only in the session of the person who asked, until that is locked, and without the last name', async () => {
    const order = await created(service, { participant: PERSON })
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora' })
    const [{ secret }, other] = [
      await signedIn(service, await addedUser(service, { tenantId: TENANT })),
      await signedIn(service, await addedUser(service, { tenantId: TENANT })),
    ]
    const path = `/api/operator/v1/orders/${order.id}/participantViews`
    const { url } = (await asPage(service, secret, ['POST', path])).body
    const asPerson = (cookie: string) => load(url, { headers: { cookie: `ots_session=${cookie}` } })
    const page = await asPerson(secret)
    expect(page.status).toBe(200)
    const text = await page.text()
    expect([text.includes(PERSON.firstName), text.includes(PERSON.lastName)]).toEqual([true, false])
    expect((await load(url)).status).toBe(410)
    expect((await asPerson(other.secret)).status).toBe(410)
    await asPage(service, secret, ['POST', '/api/console/v1/session/lock'])
    expect((await asPerson(secret)).status).toBe(410)
  })

  test('it ends after its time, and a made-up address shows nothing', async () => {
    const order = await created(service, { participant: PERSON })
    const expiresAt = new Date(Date.now() - 1)
    const late = service.store.viewTickets.seal({ tenantId: TENANT, orderId: order.id, sessionId: null, expiresAt })
    for (const ticket of [late, 'AAAA', `${late.slice(0, -2)}xx`])
      expect((await load(`/participant-views/${ticket}`)).status).toBe(410)
  })

  test('it needs the right to see participants', async () => {
    const order = await created(service)
    const path = `/orders/${order.id}/participantViews`
    expect((await operate(service, 'POST', path, undefined, DISCREET_OPERATOR)).status).toBe(401)
  })
})
