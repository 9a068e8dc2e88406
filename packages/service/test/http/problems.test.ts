import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '@order-testing/contract'
import { startService, type TestService } from '../support/service.ts'
import { problemsOf, refusalOf, type Answer } from './answers.ts'
import { exampleOf, NOBODY, prairieCatalog, prairieToken, everyOperation, withQuery } from './walk.ts'

const SECRET = 'prairie-secret-full'

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.apply(
    prairieCatalog('prairie', [
      prairieToken(SECRET),
      prairieToken('prairie-secret-orders', { scopes: ['order.participant.read'] }),
    ]),
  )
})

afterAll(() => service.stop())

const search = (body: unknown, query = '') =>
  service.call(SECRET, { method: 'POST', path: `/api/v2/clinics/search${query}`, body })

/** The problems of a 400 answer, sorted. */
function reported(answer: Answer): string[] {
  expect(answer).toMatchObject({ status: 400 })
  return problemsOf(answer).toSorted()
}

describe('every problem of a request is reported at once (Errors)', () => {
  test('all problems of a query are reported', async () => {
    const query = `page=0&limit=21&name=&isActive=maybe&city=${'x'.repeat(256)}&state=%00&colour=red`
    expect(reported(await service.call(SECRET, `/api/v2/clinics?${query}`))).toEqual([
      'invalidFormat /state',
      'invalidType /isActive',
      'tooBig /city',
      'tooBig /limit',
      'tooSmall /name',
      'tooSmall /page',
      'unrecognizedKeys /colour',
    ])
  })

  test('problems of the query and the body are reported together', async () => {
    const body = {
      query: 5,
      near: { coordinates: { lat: 91 } },
      radiusMiles: 0,
      serviceIds: ['urine', ''],
      limit: '21',
      page: 1.5,
      'where/when~how': 'here',
    }
    expect(reported(await search(body, '?page=1&limit=2'))).toEqual([
      'invalidType /page',
      'invalidType /query',
      'required /near/coordinates/long',
      'tooBig /limit',
      'tooBig /near/coordinates/lat',
      'tooSmall /radiusMiles',
      'tooSmall /serviceIds/1',
      'unrecognizedKeys /limit',
      'unrecognizedKeys /page',
      'unrecognizedKeys /where~1when~0how',
    ])
  })

  test('problems of the query and the body of an order are reported together', async () => {
    const body = { ...endpoints.createOrder.example.body, testReason: 'curiosity', location: undefined }
    const { path } = endpoints.createOrder
    expect(reported(await service.call(SECRET, { method: 'POST', path: `${path}?page=1`, body }))).toEqual([
      'invalidValue /testReason',
      'required /location',
      'unrecognizedKeys /page',
    ])
  })

  test.each([
    [{ limit: 50 }, ['required', 'tooBig /limit']],
    [{ near: {}, limit: 50 }, ['required /near', 'tooBig /limit']],
    [{ near: { postalCode: '00000' }, limit: 50 }, ['invalidValue /near/postalCode', 'tooBig /limit']],
    [{ query: 5, near: {} }, ['invalidType /query', 'required /near']],
    // These were sent, or may be what is missing.
    [{ query: 5 }, ['invalidType /query']],
    [{ near: 5 }, ['invalidType /near']],
    [{ near: { adress: 'Naperville, IL' } }, ['unrecognizedKeys /near/adress']],
    [{ near: { address: { zip: '60540' } } }, ['unrecognizedKeys /near/address/zip']],
    [{ near: { coordinates: { lat: 91, long: 1 }, postalCode: '00000' } }, ['tooBig /near/coordinates/lat']],
    [{ near: { postalCode: 5, address: 'nowhere' } }, ['invalidType /near/postalCode']],
  ])('the place of a clinic search is checked beside malformed members: %j', async (body, problems) => {
    expect(reported(await search(body))).toEqual(problems)
  })

  test.each([
    ['orders?cursor=&limit=0', ['required /sort', 'tooSmall /limit']],
    ['orders?sort=updatedAt&limit=0', ['required /cursor', 'tooSmall /limit']],
    [
      'orders?cursor=x&page=1&limit=0',
      ['invalidFormat /cursor', 'required /sort', 'tooSmall /limit', 'unrecognizedKeys /page'],
    ],
    ['orders?cursor=x', ['invalidFormat /cursor', 'required /sort']],
    ['orders?sort=name&cursor=&page=1', ['invalidValue /sort', 'unrecognizedKeys /page']],
    ['orders?sort=name', ['invalidValue /sort']],
    [`orders?sort=updatedAt&cursor=${'x'.repeat(201)}`, ['tooBig /cursor']],
    ['orders?page=1&limit=0', ['tooSmall /limit']],
    ['events?cursor=x&limit=0', ['invalidFormat /cursor', 'tooSmall /limit']],
    ['events?limit=0', ['tooSmall /limit']],
  ])('the cursor of a list is checked beside malformed parameters: %s', async (path, problems) => {
    expect(reported(await service.call(SECRET, `/api/v2/${path}`))).toEqual(problems)
  })

  test('text that cannot be stored is reported', async () => {
    const body = String.raw`{"query":"\u0000","packageId":"\ud800","serviceIds":["\udc00\ud800","\ud83d\ude00"]}`
    expect(reported(await search(body))).toEqual([
      'invalidFormat /packageId',
      'invalidFormat /query',
      'invalidFormat /serviceIds/0',
    ])
  })

  test('problems without a field have no pointer', async () => {
    expect(reported(await search({}))).toEqual(['required'])
    expect(reported(await search({ near: {} }))).toEqual(['required /near'])
  })

  test.each(everyOperation)('$name accepts its parameters and no others', async (endpoint) => {
    expect(reported(await service.call(SECRET, withQuery(exampleOf(endpoint), 'colour=red&__proto__=x')))).toEqual([
      'unrecognizedKeys /__proto__',
      'unrecognizedKeys /colour',
    ])
  })
})

describe('names with a special meaning in JavaScript are names like any other', () => {
  test.each([
    ['__proto__', '/__proto__'],
    ['constructor', '/constructor'],
    ['hasOwnProperty', '/hasOwnProperty'],
    ['toString', '/toString'],
    ['a/b', '/a~1b'],
    ['a~b', '/a~0b'],
    ['~1', '/~01'],
    ['/', '/~1'],
    ['page[]', '/page[]'],
    ['page.x', '/page.x'],
    ['é', '/é'],
    ['', '/'],
  ])('an unknown name in a query or a body is reported: %j', async (name, pointer) => {
    const query = `?${encodeURIComponent(name)}=x`
    expect(reported(await service.call(SECRET, `/api/v2/companies${query}`))).toEqual([`unrecognizedKeys ${pointer}`])
    const body = `{"query":"a",${JSON.stringify(name)}:{"isActive":false}}`
    expect(reported(await search(body))).toEqual([`unrecognizedKeys ${pointer}`])
  })

  test('an unknown name is reported anywhere in a body', async () => {
    const near = '{"coordinates":{"lat":1,"long":2,"__proto__":{}},"constructor":{"prototype":{}}}'
    expect(reported(await search(`{"near":${near}}`))).toEqual([
      'unrecognizedKeys /near/constructor',
      'unrecognizedKeys /near/coordinates/__proto__',
    ])
  })

  test('such names do not change the prototype of objects', async () => {
    await search('{"query":"a","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect({}).not.toHaveProperty('polluted')
  })
})

describe('a parameter', () => {
  test.each([
    ['given twice', 'page=1&page=2', ['invalidType /page']],
    ['given twice with the same value', 'name=a&name=a', ['invalidType /name']],
    ['without a value', 'page', ['invalidType /page']],
    ['with an empty value', 'page=&name=', ['invalidType /page', 'tooSmall /name']],
    ['that is no number', 'page=1e1&limit=0x1', ['invalidType /limit', 'invalidType /page']],
    ['below its bound', 'page=-1&limit=0', ['tooSmall /limit', 'tooSmall /page']],
    ['above its bound', 'page=10001&limit=99999999999999999999', ['tooBig /limit', 'tooBig /page']],
    ['unknown and given twice', 'colour=red&colour=blue', ['unrecognizedKeys /colour']],
    ['spelled in another case', 'Page=1&LIMIT=2', ['unrecognizedKeys /LIMIT', 'unrecognizedKeys /Page']],
  ])('the parameter %s is refused', async (_, query, problems) => {
    expect(reported(await service.call(SECRET, `/api/v2/companies?${query}`))).toEqual(problems)
  })

  test.each([
    '',
    '?',
    '?&',
    '?page=1&limit=20',
    '?page=%31&',
    '?name=Prairie+Rail',
    '?name=prairie%20rail',
    '?name=%25',
  ])('a parameter is decoded as written in %j', async (query) => {
    expect(await service.call(SECRET, `/api/v2/companies${query}`)).toMatchObject({ status: 200 })
  })
})

describe('checks run in the order token, scope, body', () => {
  const wrong = { method: 'POST', path: '/api/v2/clinics/search?colour=red', body: '{' }
  const tooBig = { ...wrong, body: ' '.repeat(300_000) }
  const ofAnotherType = { ...wrong, headers: { 'content-type': 'text/plain' } }

  test('an invalid token is reported before everything else', async () => {
    for (const endpoint of everyOperation) {
      const request = withQuery(exampleOf(endpoint), 'colour=red')
      expect(refusalOf(await service.call('nobody-has-this-secret', request))).toBe('401 unauthenticated')
    }
    for (const request of [wrong, tooBig, ofAnotherType])
      expect(refusalOf(await service.call(NOBODY, request))).toBe('401 unauthenticated')
  })

  test('a missing scope is reported before an invalid query, body or media type', async () => {
    const requests = [wrong, tooBig, ofAnotherType, '/api/v2/companies?page=0', '/api/v2/companies/missing']
    for (const request of requests)
      expect(refusalOf(await service.call('prairie-secret-orders', request))).toBe('401 insufficientScope')
  })

  test('an invalid query is reported before a failing lookup', async () => {
    expect(reported(await service.call(SECRET, '/api/v2/companies/missing?colour=red'))).toEqual([
      'unrecognizedKeys /colour',
    ])
  })
})

describe('the request id', () => {
  test.each(['a', 'order-42', 'A.b:c_d-9', 'x'.repeat(128)])(
    'the request id is the one that the client sends: %s',
    async (id) => {
      for (const path of ['/api/v2/companies', '/api/v2/nothing', '/api/v2/companies/missing', '/%', '/healthz']) {
        const { headers } = await service.call(SECRET, { method: 'GET', path, headers: { 'x-request-id': id } })
        expect(headers.get('x-request-id')).toBe(id)
      }
    },
  )

  test.each(['', ' ', 'x'.repeat(129), 'a b', 'a,b', '<script>', 'é', 'a;b', '{"a":1}', 'a/b'])(
    'the request id is generated if the client sends an invalid one: %j',
    async (id) => {
      const { headers } = await service.call(SECRET, {
        method: 'GET',
        path: '/healthz',
        headers: { 'x-request-id': id },
      })
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    },
  )

  test('the request id differs between requests', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await service.call(NOBODY, '/healthz')).headers.get('x-request-id')),
    )
    expect(new Set(ids).size).toBe(20)
  })
})
