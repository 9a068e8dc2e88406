import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { NetworkError, OrderTesting, OrderTestingError, TimeoutError, type CreateOrder } from '../src/index.ts'
import { answering, closeServersAfterEach, failure, json, rawServer, text, TOKEN, type Seen } from './servers.ts'

closeServersAfterEach()

const order = {} as CreateOrder

/** The items of a list up to the error that ends it. */
async function collect(list: AsyncIterable<{ id: string }>): Promise<{ ids: string[]; error?: unknown }> {
  const ids: string[] = []
  try {
    for await (const { id } of list) ids.push(id)
    return { ids }
  } catch (error) {
    return { ids, error }
  }
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'

describe('a hostile server', () => {
  test('that never answers runs into the time-out', async () => {
    const { client } = await rawServer(() => {}, { timeoutMs: 50, maxRetries: 0 })
    const error = await failure(client.orders.create(order, { idempotencyKey: 'k' }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ status: undefined, idempotencyKey: 'k' })
  })

  test('that sends its body byte by byte runs into the time-out', async () => {
    const { client } = await rawServer(
      (socket) => {
        socket.write(`${HEAD}content-length: 1000000\r\n\r\n`)
        const timer = setInterval(() => socket.write(' '), 5)
        socket.on('close', () => clearInterval(timer))
      },
      { timeoutMs: 100, maxRetries: 0 },
    )
    expect(await failure(client.token())).toBeInstanceOf(TimeoutError)
  })

  test('that sends without an end is cut off', async () => {
    const { client } = await rawServer(
      (socket) => {
        const block = ' '.repeat(65_536)
        const pump = () => {
          while (!socket.destroyed && socket.write(`10000\r\n${block}\r\n`));
        }
        socket.once('data', () => {
          socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`)
          pump()
        })
        socket.on('drain', pump)
      },
      { maxRetries: 0 },
    )
    expect((await failure(client.token())).message).toContain('too large')
  })

  test.each([
    ['half a body', `${HEAD}content-length: 100\r\n\r\n{"id":`],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['nothing', ''],
  ])('that sends %s and closes is a network error', async (_, bytes) => {
    const { client } = await rawServer((socket) => socket.once('data', () => socket.end(bytes)), { maxRetries: 0 })
    expect(await failure(client.token())).toBeInstanceOf(NetworkError)
  })

  test.each(['{"id":', '', 'null', '[]', '"text"', '<html></html>', '42'])(
    'that answers a create with 201 and %j gives an error and gets no second request',
    async (body) => {
      const { client, seen } = await answering([text(201, body, { 'content-type': 'application/json' })])
      const error = await failure<OrderTestingError>(client.orders.create(order))
      expect(error).toBeInstanceOf(OrderTestingError)
      expect(error.status).toBe(201)
      expect(error.message).toContain('not the expected JSON')
      expect(seen).toHaveLength(1)
    },
  )

  test.each([{}, { data: {} }, { data: null }, { data: [null] }, { data: [5] }, { data: [{}] }])(
    'that answers a list with %j gives an error',
    async (body) => {
      const { client } = await answering([json(200, body)])
      expect(await failure(client.orders.list())).toBeInstanceOf(OrderTestingError)
    },
  )

  test.each([
    null,
    [],
    { errors: 'none' },
    { errors: [null, 7, 'x', []] },
    { errors: [{}] },
    { errors: [{ code: {}, detail: 5, source: 'x', meta: [] }] },
    { errors: [{ code: 'a', detail: 'b', source: { pointer: 9 } }] },
  ])('that answers 400 with %j gives an error whose problems are well formed', async (body) => {
    const { client } = await answering([json(400, body)])
    const { problems } = await failure<OrderTestingError>(client.token())
    for (const { code, detail, pointer } of problems) {
      expect([typeof code, typeof detail]).toEqual(['string', 'string'])
      expect(pointer).toBeUndefined()
    }
  })

  test('that redirects gets neither the token nor the order at the other address', async () => {
    const elsewhere = await answering([json(200, {})])
    const { client } = await answering([text(307, '', { location: `${elsewhere.origin}/steal` })], { maxRetries: 0 })
    const error = await failure<OrderTestingError>(client.orders.create(order))
    expect(error.status).toBe(307)
    expect(elsewhere.seen).toEqual([])
  })

  test('that echoes the token does not get it into an error', async () => {
    const echo = (headers: Seen['headers']) => ({
      errors: [{ code: 'x', detail: `You sent ${headers.authorization}`, meta: { header: headers.authorization } }],
    })
    const { client } = await answering([
      (response, seen) => json(401, echo(seen.headers), { 'x-request-id': TOKEN })(response, seen),
    ])
    const error = await failure(client.token())
    expect(error.message).toContain('You sent Bearer [removed]')
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
  })

  const page = (ids: string[], members: object) => json(200, { data: ids.map((id) => ({ id })), limit: 1, ...members })

  test('that answers every page with the first one ends a list with an error', async () => {
    const { client, seen } = await answering([page(['a'], { page: 1, total: 1e9 })])
    const { ids, error } = await collect(client.orders.list())
    expect(error).toBeInstanceOf(OrderTestingError)
    expect(error).toMatchObject({ message: 'The answer is page 1 instead of 2' })
    expect([ids, seen.length]).toEqual([['a'], 2])
  })

  test('that repeats items under other page numbers ends a list with an error', async () => {
    const { client, seen } = await answering([
      (response, at) => page(['a'], { page: seen.length, total: 1e9 })(response, at),
    ])
    const { ids, error } = await collect(client.orders.list())
    expect(error).toBeInstanceOf(OrderTestingError)
    expect([ids, seen.length]).toEqual([['a'], 102])
  })

  test.each([
    ['repeats a cursor', ['c'], 2],
    ['gives cursors in a circle', ['c', 'd', 'c'], 3],
  ])('that %s ends a list with an error', async (_, cursors, requests) => {
    const { client, seen } = await answering(cursors.map((nextCursor) => page(['a'], { total: 1, nextCursor })))
    const { error } = await collect(client.events.list())
    expect(error).toBeInstanceOf(OrderTestingError)
    expect(seen).toHaveLength(requests)
  })

  test('that gives ever new cursors without items ends a list with an error', async () => {
    const { client, seen } = await answering([
      (response, at) => page([], { total: 1, nextCursor: `c${seen.length}` })(response, at),
    ])
    const { ids, error } = await collect(client.events.list())
    expect(error).toBeInstanceOf(OrderTestingError)
    expect([ids, seen.length]).toEqual([[], 101])
  })
})

describe('the token', () => {
  test('is not shown by the client, nor by errors of a fetch that repeats it', async () => {
    const client = new OrderTesting({
      token: TOKEN,
      baseUrl: 'https://orders.example.com',
      maxRetries: 0,
      fetch: async (_, init) => {
        throw Object.assign(new TypeError(`failed: ${JSON.stringify(init?.headers)}`), { request: init })
      },
    })
    const error = await failure(client.token())
    expect(error.message).toContain('Bearer [removed]')
    for (const value of [client, error]) {
      expect(inspect(value, { depth: 9, showHidden: true })).not.toContain(TOKEN)
      expect(JSON.stringify(value)).not.toContain(TOKEN)
    }
  })
})

describe('an abort', () => {
  test.each(['of the call', 'of the client'])('%s ends a request with its reason', async (whose) => {
    const controller = new AbortController()
    const { signal } = controller
    const { client } = await answering([() => controller.abort(new Error('enough'))], {
      ...(whose === 'of the client' && { signal }),
    })
    const call = client.token(whose === 'of the call' ? { signal } : {})
    expect((await failure(call)).message).toBe('enough')
  })

  test('before the call sends nothing', async () => {
    const { client, seen } = await answering([json(200, {})])
    const error = await failure(client.token({ signal: AbortSignal.abort() }))
    expect(error.name).toBe('AbortError')
    expect(seen).toEqual([])
  })

  test('leaves no listeners on a signal that many calls share', async () => {
    const { signal } = new AbortController()
    const { client } = await answering([json(200, {})], { signal })
    for (let i = 0; i < 20; i += 1) await client.token()
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
