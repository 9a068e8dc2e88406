import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { contentOf, created, SECRET } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, messageAbout, operate, report, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const PDF = Buffer.from('%PDF-1.7\n% a very short report\n')

describe('documents', () => {
  const documents = [{ name: 'report.pdf', contentType: 'application/pdf', content: PDF.toString('base64') }]

  test('documents are served unchanged, and to operators only', async () => {
    const order = await created(service)
    const { id } = await applied(service, messageAbout(order, { documents }))
    const { body } = await operate(service, 'GET', `/results/${id}`)
    expect(body.message).not.toHaveProperty('documents')
    expect(body.documents).toMatchObject([{ name: 'report.pdf', contentType: 'application/pdf', size: PDF.length }])
    const [{ url }] = body.documents
    const answer = await operate(service, 'GET', url.replace('/api/operator/v1', ''))
    expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
      200,
      'application/pdf',
      PDF.toString(),
    ])
    expect(refusalOf(await service.call(SECRET, url))).toBe('401 insufficientScope')
    expect(refusalOf(await operate(service, 'GET', '/documents/doc_none'))).toBe('404 notFound')
  })

  test('every read of a result or a document is recorded in the audit log', async () => {
    const order = await created(service)
    const { id } = await applied(service, messageAbout(order, { documents }))
    const entries = async (subjectId: string) =>
      (await operate(service, 'GET', `/audit?subjectId=${subjectId}`)).body.data as object[]
    expect(await entries(id)).toEqual([])
    const [document] = (await operate(service, 'GET', `/results/${id}`)).body.documents as { id: string }[]
    expect(await entries(id)).toMatchObject([
      { action: 'result.read', tokenId: 'operator', subject: { type: 'result', id } },
    ])
    expect(await entries(document!.id)).toEqual([])
    await operate(service, 'GET', `/documents/${document!.id}`)
    await operate(service, 'GET', `/documents/${document!.id}`)
    const read = {
      action: 'document.read',
      tokenId: 'operator',
      subject: { type: 'document', id: document!.id },
      after: { resultId: id },
    }
    expect(await entries(document!.id)).toMatchObject([read, read])
  })

  test('a document of the laboratory is refused while the test awaits the medical reviewer, here and at its order', async () => {
    const order = await created(service, { package: { id: 'dot' }, agency: { code: 'PHMSA' } })
    const { id } = await applied(service, messageAbout(order, { event: 'testing', documents }))
    const [document] = (await operate(service, 'GET', `/results/${id}`)).body.documents as { id: string }[]
    const paths = [`/documents/${document!.id}`, `/orders/${order.id}/documents/${document!.id}`]
    for (const path of paths) {
      const refused = await operate(service, 'GET', path)
      expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('49 CFR 40.97')])
    }
    const reads = `/audit?action=document.read&subjectId=${document!.id}`
    expect((await operate(service, 'GET', reads)).body.total).toBe(0)
    await applied(service, messageAbout(order, { event: 'result', result: 'negative', kind: 'mro' }))
    for (const path of paths) expect((await operate(service, 'GET', path)).text).toBe(PDF.toString())
    expect((await operate(service, 'GET', reads)).body.total).toBe(2)
  })

  test('what the laboratory found is left out of its message until the medical reviewer has decided', async () => {
    const order = await created(service, { package: { id: 'dot' }, agency: { code: 'PHMSA' } })
    const screened = { event: 'screened', screen: 'confirmation', analytes: [{ name: 'THC', result: 'positive' }] }
    const { id } = await applied(service, messageAbout(order, screened))
    const read = async () => (await operate(service, 'GET', `/results/${id}`)).body
    const during = await read()
    expect(during).toMatchObject({ hiddenFor: 'review', event: 'screened', message: { event: 'screened' } })
    expect(JSON.stringify(during)).not.toMatch(/confirmation|THC|positive/)
    await applied(service, messageAbout(order, { event: 'result', result: 'negative', kind: 'mro' }))
    expect(await read()).toMatchObject({ hiddenFor: null, message: { screen: 'confirmation' } })
  })

  test('what a laboratory found is hidden in its message until the report is assigned; its document tells whose it is', async () => {
    const findings = { event: 'result', result: 'positive', analytes: [{ name: 'THC', result: 'positive' }] }
    const sent = await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }, { ...findings, documents }))
    const read = (query = '') => operate(service, 'GET', `/results/${sent.body.id}${query}`)
    for (const query of ['', '?participants=full']) {
      const { text, body } = await read(query)
      expect(body).toMatchObject({ hiddenFor: 'assignment', message: { event: 'result' } })
      expect(text).not.toMatch(/THC|positive/)
    }
    const { id } = (await read()).body.documents[0]
    expect((await operate(service, 'GET', `/documents/${id}`)).text).toBe(PDF.toString())
  })

  test('documents and reports are sealed at rest', async () => {
    const order = await created(service)
    const secret = 'a finding that nobody may read'
    await applied(service, messageAbout(order, { documents, analytes: [{ name: 'THC', result: secret }] }))
    const rows = await service.pool<{ content: Buffer }[]>`
      select content from result_reports union all select content from documents`
    for (const { content } of rows) {
      expect(content.includes(secret)).toBe(false)
      expect(content.includes('%PDF')).toBe(false)
    }
    expect(JSON.stringify(await contentOf(service, order.id))).not.toContain(secret)
  })
})
