import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Registry } from 'prom-client'
import { BodyBudget } from '../../src/http/limits/body-budget.ts'
import { Overloaded } from '../../src/store/db/errors.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'

const party = (tokenId: string) => ({ tenantId: 't', tokenId })

describe('the budget of large bodies', () => {
  test('the budget limits each token and all tokens together', () => {
    const budget = new BodyBudget({ most: 100, mostOfOne: 60 })
    budget.hold(party('a'), 60)
    expect(() => budget.hold(party('a'), 1)).toThrow(Overloaded)
    const held = budget.hold(party('b'), 40)
    expect(() => budget.hold(party('c'), 1)).toThrow(Overloaded)
    held.shrinkTo(10)
    budget.hold(party('c'), 30)
    expect(budget.figures).toEqual({ bytes: 100, refused: 2 })
  })

  test('the budget is released when the response is closed and the work has ended', async () => {
    const budget = new BodyBudget()
    const held = budget.hold(party('a'), 10)
    let end = () => {}
    const work = held.during(() => new Promise<void>((resolve) => (end = resolve)))
    held.release()
    expect(budget.figures.bytes).toBe(10)
    end()
    await work
    expect(budget.figures.bytes).toBe(0)
  })
})

describe('large bodies', () => {
  let service: TestService
  const registry = new Registry()
  beforeAll(async () => {
    service = await startService({ registry })
    await service.apply(staffed())
  })
  afterAll(() => service.stop())

  const reserved = async () => {
    const { values } = await registry.getSingleMetric('ots_large_bodies_bytes')!.get()
    return values[0]!.value
  }

  /** Begins a request and leaves its body out. */
  async function begin(head: string[], path = '/api/operator/v1/catalog/diff') {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
    const answered = once(socket, 'data').then(([bytes]) => String(bytes as Buffer))
    socket.on('error', () => {})
    const lines = [`POST ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${OPERATOR}`, ...head]
    socket.write(`${[...lines, 'content-type: application/json'].join('\r\n')}\r\n\r\n`)
    return { socket, answered }
  }

  test('large bodies of a token over its budget are refused before they are read', async () => {
    const size = 60 * 1024 ** 2
    const open = [await begin([`content-length: ${size}`]), await begin([`content-length: ${size}`])]
    await expect.poll(reserved).toBe(2 * size)
    const { socket, answered } = await begin([`content-length: ${size}`])
    const answer = await answered
    expect(answer).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1.*Nothing was changed/is)
    expect(await registry.metrics()).toContain('ots_requests_refused_total{kind="body"} 1')
    for (const each of [...open, { socket }]) each.socket.destroy()
    await expect.poll(reserved).toBe(0)
  })

  test('large bodies without a length reserve the limit until they have arrived', async () => {
    const { socket, answered } = await begin(['transfer-encoding: chunked'], '/api/operator/v1/results')
    await expect.poll(reserved).toBe(15 * 1024 ** 2)
    socket.write('2\r\n{}\r\n0\r\n\r\n')
    expect(await answered).toMatch(/^HTTP\/1\.1 400/)
    await expect.poll(reserved).toBe(0)
    socket.destroy()
  })

  test('a large body that waits for its turn reserves nothing, and what it reserved is released when the connection closes', async () => {
    const { socket } = await begin(['content-length: 1000000'])
    await expect.poll(reserved).toBe(1_000_000)
    const next = ['POST /api/operator/v1/results HTTP/1.1', 'host: localhost', `authorization: Bearer ${OPERATOR}`]
    socket.write(
      `{"x":"${'x'.repeat(1_000_000 - 8)}"}${next.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n`,
    )
    await expect.poll(reserved, { timeout: 20_000 }).toBe(5_000)
    socket.destroy()
    await expect.poll(reserved, { timeout: 20_000 }).toBe(0)
  })

  test('a large body behind a request that ends the connection reserves nothing', async () => {
    const { socket, answered } = await begin(['content-length: 1'])
    const next = ['POST /api/operator/v1/results HTTP/1.1', 'host: localhost', `authorization: Bearer ${OPERATOR}`]
    socket.write(`{${next.join('\r\n')}\r\ncontent-type: application/json\r\ncontent-length: 5000000\r\n\r\n`)
    expect(await answered).toMatch(/^HTTP\/1\.1 400/)
    socket.destroy()
    await expect.poll(reserved).toBe(0)
  })
})
