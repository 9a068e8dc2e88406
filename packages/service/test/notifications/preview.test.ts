import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { cancelled, created } from '../orders/given.ts'
import { DISCREET_OPERATOR, operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

/** The notification of an order that was just created. */
async function linkOf(members: object = {}): Promise<{ id: string; orderId: string }> {
  const { id: orderId } = await created(service, members)
  const [{ id }] = (await operate(service, 'GET', `/messages?orderId=${orderId}`)).body.data
  return { id, orderId }
}

const preview = (id: string, secret?: string) => operate(service, 'GET', `/messages/${id}/preview`, undefined, secret)

describe('the preview of a notification', () => {
  test('a preview says what the mail would say now, without a usable link, and is audited', async () => {
    const { id } = await linkOf()
    const { status, body } = await preview(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'messagePreview', messageId: id, channel: 'email', isRelevant: true })
    expect(body.subject).toEqual(expect.any(String))
    expect(body.text).toContain('https://link-removed.invalid/')
    expect(body.text).not.toContain('/o/')
    const links = await service.pool.values<number>`select count(*)::int from order_links`
    expect(links).toEqual([0])
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data
    expect(entry).toMatchObject({ action: 'message.preview', subject: { type: 'message', id } })
  })

  test('a preview of a text message is its short text, without a subject', async () => {
    const { id } = await linkOf({ deliveryMethods: [{ type: 'mobile', phone: '(630) 555-0142' }] })
    const { body } = await preview(id)
    expect(body).toMatchObject({ channel: 'mobile', subject: null, isRelevant: true })
    expect(body.text).toContain('https://link-removed.invalid/')
  })

  test('a notification that no longer applies has no preview', async () => {
    const { id, orderId } = await linkOf()
    await cancelled(service, orderId)
    expect((await preview(id)).body).toMatchObject({ isRelevant: false, subject: null, text: null })
  })

  test('a preview requires the scope to read participants', async () => {
    const { id } = await linkOf()
    expect(refusalOf(await preview(id, DISCREET_OPERATOR))).toContain('insufficientScope')
    expect(refusalOf(await preview('msg_none'))).toBe('404 notFound')
  })
})
