import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvLine } from '../../src/domain/csv.ts'
import { created } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const linesOf = (text: string) => text.split('\r\n').filter((line) => line !== '')

describe('export of the audit log', () => {
  test('entries are exported as CSV with a header, by the filters of the list, and the export is recorded', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Placed "twice", sorry' })
    const answer = await operate(service, 'GET', `/audit/export?subjectId=${order.id}&action=order.cancel`)
    expect(answer.headers.get('content-type')).toBe('text/csv')
    const [header, entry, ...more] = linesOf(answer.text)
    expect(header).toMatch(/^id,at,tokenId,actor,/)
    expect(entry).toMatch(
      new RegExp(`^aud_\\w+,[^,]+Z,operator,token,,,order.cancel,order,${order.id},"Placed ""twice"", sorry","\\{`),
    )
    expect(more).toEqual([])
    const [recorded] = (await operate(service, 'GET', '/audit?action=audit.export')).body.data
    expect(recorded.after).toMatchObject({ action: 'order.cancel', subjectId: order.id, entries: 1 })
  })

  test('an export is read on from the last entry', async () => {
    const order = await created(service)
    for (let i = 0; i < 3; i++) await operate(service, 'GET', `/orders/${order.id}`)
    const path = `/audit/export?subjectId=${order.id}&limit=2`
    const [, first, second] = linesOf((await operate(service, 'GET', path)).text)
    const next = await operate(service, 'GET', `${path}&before=${second!.split(',')[0]}`)
    const [, third, ...more] = linesOf(next.text)
    expect(new Set([first, second, third]).size).toBe(3)
    expect(more).toEqual([])
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('a cell such as %j is text for a spreadsheet', (value) => {
    expect(csvLine([value])).toBe(`'${value}\r\n`)
  })
})
