import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'

const FILED = 'intake-secret-of-a-catalog-file'

let service: TestService
beforeAll(async () => {
  service = await startService()
  const filed = {
    ...token(FILED, { id: 'filed', scopes: ['intake.mro'], companies: [] }),
    senders: [{ id: 'OKAFOR', role: 'mro' }],
  }
  const laboratoryCodes = [
    { lab: 'heartland', code: '35105N', service: 'urine' },
    { lab: 'ridge', code: '7', service: 'urine' },
  ]
  await service.apply({ ...staffed({ tokens: [filed] }), laboratoryCodes })
  const senders = [
    { id: 'HEARTLAND', role: 'lab', labs: ['heartland'], timezone: 'America/Chicago' },
    { id: 'RIDGE', role: 'lab' },
  ]
  await operate(service, 'POST', '/tokens', { id: 'line', name: 'Line', scopes: ['intake.lab'], senders })
})
afterAll(() => service.stop())

const edit = (body: object, id = 'line') => operate(service, 'PATCH', `/tokens/${id}/senders`, body)
const list = async (query = '') => (await operate(service, 'GET', `/senders?${query}`)).body

describe('senders of result reports', () => {
  test('senders are listed by token, with their laboratories, zone and the codes of the catalog', async () => {
    expect(await list('tokenId=line')).toMatchObject({
      total: 2,
      data: [
        {
          id: 'HEARTLAND',
          role: 'lab',
          name: null,
          labs: ['heartland'],
          timezone: 'America/Chicago',
          token: { id: 'line', name: 'Line', isEditable: true },
          codes: [{ lab: 'heartland', code: '35105N', service: 'urine' }],
        },
        { id: 'RIDGE', labs: null, timezone: null, codes: [{ lab: 'ridge', code: '7' }] },
      ],
    })
    expect((await list('role=mro')).data).toMatchObject([{ id: 'OKAFOR', token: { id: 'filed', isEditable: false } }])
    expect(await list('limit=1&page=2')).toMatchObject({ limit: 1, page: 2, data: [{}] })
  })

  test('an edit changes only what it names, null removes a member, and the audit log has both states', async () => {
    const changed = await edit({ id: 'RIDGE', role: 'lab', name: 'Ridge', labs: ['heartland'], reason: 'Merged' })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Ridge', labs: ['heartland'], timezone: null } })
    await edit({ id: 'RIDGE', role: 'lab', timezone: 'America/Denver' })
    expect((await edit({ id: 'RIDGE', role: 'lab', labs: null })).body).toMatchObject({
      name: 'Ridge',
      labs: null,
      timezone: 'America/Denver',
    })
    expect((await list('tokenId=line')).data[0]).toMatchObject({ id: 'HEARTLAND', timezone: 'America/Chicago' })
    const { data } = (await operate(service, 'GET', '/audit?action=token.edit')).body
    expect(data[2]).toMatchObject({ subject: { type: 'token', id: 'line' }, reason: 'Merged' })
    expect(JSON.stringify(data[2].after)).toContain('"heartland"')
  })

  test('unknown senders, tokens of files and zones that do not exist are refused', async () => {
    expect(refusalOf(await edit({ id: 'RIDGE', role: 'mro', name: 'x' }))).toBe('404 notFound')
    expect(refusalOf(await edit({ id: 'RIDGE', role: 'lab', name: 'x' }, 'nobody'))).toBe('404 notFound')
    expect(refusalOf(await edit({ id: 'OKAFOR', role: 'mro', name: 'x' }, 'filed'))).toBe('422 invalidState')
    expect(refusalOf(await edit({ id: 'RIDGE', role: 'lab', timezone: 'Mars/Olympus' }))).toMatch(/^400 .* \/timezone$/)
  })
})
