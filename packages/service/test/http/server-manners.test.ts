import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import type { ErrorCode, Problem } from '@order-testing/contract'
import { Refusal } from '../../src/domain/refusal.ts'
import { createHealthServer } from '../../src/http/health-server.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let app: FastifyInstance
let problems: Problem[] = []
beforeAll(async () => {
  database = await freshDatabase()
  app = createHealthServer({ store: database.store, logger: pino({ level: 'silent' }), registry: new Registry() })
  app.get('/address', (request) => ({ address: request.ip }))
  app.get('/refusal', () => {
    throw new Refusal(problems)
  })
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

describe('X-Forwarded-For', () => {
  test.each([
    ['of the given ranges only', ['203.0.113.0/24'], ['10.0.0.1', '198.51.100.7']],
    ['of nobody if there are none', [], ['10.0.0.1', '203.0.113.9']],
  ])('the word of proxies %s is taken', async (_, trustProxy, expected) => {
    const logger = pino({ level: 'silent' })
    const other = createHealthServer({ store: database.store, logger, registry: new Registry(), trustProxy })
    other.get('/address', (request) => ({ address: request.ip }))
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const seen = ['10.0.0.1', '203.0.113.9'].map(
      async (remoteAddress) =>
        (await other.inject({ url: '/address', remoteAddress, headers })).json().address as string,
    )
    expect(await Promise.all(seen)).toEqual(expected)
    await other.close()
  })

  const seenAs = async (remoteAddress: string, forwarded: string) =>
    (await app.inject({ url: '/address', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).json().address

  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '::1',
    '169.254.0.1',
    'fe80::1',
    '10.0.0.1',
    '10.255.255.254',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.255.254',
    'fc00::1',
    'fdff::1',
  ])('X-Forwarded-For is trusted from %s, a loopback, link-local or unique-local proxy', async (proxy) => {
    expect(await seenAs(proxy, '198.51.100.7')).toBe('198.51.100.7')
    // What a client claims of itself stands before what the proxy adds.
    expect(await seenAs(proxy, '192.0.2.66, 198.51.100.7')).toBe('198.51.100.7')
  })

  test.each([
    '203.0.113.9',
    '8.8.8.8',
    '126.255.255.255',
    '128.0.0.1',
    '9.255.255.255',
    '11.0.0.1',
    '100.64.0.1',
    '169.253.255.255',
    '169.255.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '192.169.0.1',
    '2001:4860:4860::8888',
    'fbff::1',
    'fec0::1',
  ])('X-Forwarded-For is ignored from the public address %s', async (stranger) => {
    expect(await seenAs(stranger, '198.51.100.7')).toBe(stranger)
    expect(await seenAs(stranger, '127.0.0.1')).toBe(stranger)
  })
})

describe('the status of several problems at once', () => {
  const statusOf = async (...codes: ErrorCode[]) => {
    problems = codes.map((code) => ({ code, detail: code, pointer: '/a' }))
    const answer = await app.inject('/refusal')
    expect(answer.json()).toMatchObject({ statusCode: answer.statusCode, errors: codes.map((code) => ({ code })) })
    return answer.statusCode
  }

  test.each<[ErrorCode[], number]>([
    [['conflict'], 409],
    [['conflict', 'conflict'], 409],
    [['required', 'conflict'], 400],
    [['conflict', 'required'], 400],
    [['invalidState', 'tooBig'], 400],
    [['notFound', 'invalidValue'], 400],
    [['conflict', 'invalidState', 'tooSmall'], 400],
    [['invalidState'], 422],
    [['notFound'], 404],
    [['tooManyRequests'], 429],
  ])('the status of %j is %d: 400 if any of them is 400 (ruling 6)', async (codes, status) => {
    expect(await statusOf(...codes)).toBe(status)
  })
})
