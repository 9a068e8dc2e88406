import { describe, expect, test } from 'vitest'
import { OperatorApi, OrderTestingError } from '../src/operator.ts'
import { answering, closeServersAfterEach, json, problem, text } from './servers.ts'

closeServersAfterEach()

const busy = json(503, problem(503, 'internalError'), { 'retry-after': '0' })
const api = (baseUrl: string) => new OperatorApi({ baseUrl, headers: { 'x-console': '1' } })

describe('calls of the operator API', () => {
  test('an operation is sent to its path, with its parameters, query and body, and no token', async () => {
    const { origin, seen } = await answering([json(200, { object: 'operatorOrder' })])
    await api(origin).call('moveService', {
      params: { id: 'ord_1', serviceId: 'osv/1' },
      body: { status: 'checkedIn' },
    })
    await api(origin).call('operatorListOrders', { query: { status: 'pending', limit: 5 } })
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/operator/v1/orders/ord_1/services/osv%2F1/moves', '{"status":"checkedIn"}'],
      ['GET', '/api/operator/v1/orders?status=pending&limit=5', ''],
    ])
    for (const { headers } of seen) expect([headers['x-console'], headers.authorization]).toEqual(['1', undefined])
  })

  test('a read is retried, a change never', async () => {
    const reads = await answering([busy, json(200, { object: 'auditHead' })])
    await api(reads.origin).call('readAuditHead')
    expect(reads.seen).toHaveLength(2)
    const changes = await answering([busy, json(200, {})])
    await expect(api(changes.origin).call('clearClinic', { params: { id: 'ord_1' } })).rejects.toMatchObject({
      status: 503,
    })
    expect(changes.seen).toHaveLength(1)
  })

  test('an error has the status, the problems and the id of the request', async () => {
    const { origin } = await answering([json(422, problem(422, 'invalidState'), { 'x-request-id': 'req_1' })])
    const error: unknown = await api(origin)
      .call('operatorCancelOrder', { params: { id: 'ord_1' } })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OrderTestingError)
    expect(error).toMatchObject({ status: 422, requestId: 'req_1', problems: [{ code: 'invalidState' }] })
  })

  test('a call ends when its signal does', async () => {
    const { origin } = await answering([() => undefined])
    const controller = new AbortController()
    const call = api(origin).call('listTokens', {}, { signal: controller.signal })
    controller.abort(new Error('left the page'))
    await expect(call).rejects.toThrow('left the page')
  })

  test('reads send the last position of the writes before them, and nothing if there was none', async () => {
    const written = (position: string) => json(200, {}, { 'x-write-position': position })
    const [earlier, later] = ['00000003a1f0c2d8', '00000003a1f0c300']
    const { origin, seen } = await answering([json(200, {}), written(later), written(earlier), json(200, {})])
    const calls = api(origin)
    await calls.call('readAuditHead')
    await calls.call('clearClinic', { params: { id: 'ord_1' } })
    await calls.call('clearClinic', { params: { id: 'ord_1' } })
    await calls.call('operatorListOrders')
    expect(seen.map(({ headers }) => headers['x-write-position'])).toEqual([undefined, undefined, undefined, later])
  })

  test('a document is given as a file', async () => {
    const { origin } = await answering([text(200, '%PDF-1.7', { 'content-type': 'application/pdf' })])
    const file = await api(origin).call('readDocument', { params: { id: 'doc_1' } })
    expect([file.type, await file.text()]).toEqual(['application/pdf', '%PDF-1.7'])
  })
})
