import { networkInterfaces } from 'node:os'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { resolveThrough } from '../../src/webhooks/dial.ts'
import { whySpecial } from '../../src/domain/webhooks/address-ranges.ts'
import { checkCallback } from '../../src/domain/webhooks/callbacks.ts'
import { specialAddress, specialHost } from './addresses.ts'
import { SELF_SIGNED } from './certificate.ts'
import { nameServer } from './name-server.ts'
import { closeAll, httpReceiver, openSender, request } from './receivers.ts'

afterEach(closeAll)

const FORBIDDEN = { kind: 'failed', error: 'forbiddenAddress' }
const OK = { kind: 'answered', status: 200, retryAfter: null }
const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ family }) => family === 'IPv6'))
/** Takes whatever reaches this machine, by IPv4 or IPv6. */
const everywhere = () => httpReceiver(undefined, { host: hasIPv6 ? '::' : '0.0.0.0' })
const found =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses)

describe('the sender never reaches a special address', () => {
  test('a special address in the URL is refused in any spelling', async () => {
    const receiver = await everywhere()
    const sender = openSender({ allow: [] })
    await fc.assert(
      fc.asyncProperty(specialHost, async (host) => {
        const attempt = await sender.send(request(`http://${host}:${receiver.port}/`))
        expect(attempt).toMatchObject({ outcome: FORBIDDEN, excerpt: '' })
      }),
      { numRuns: 1000 },
    )
    expect(receiver.arrivals).toEqual([])
  })

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '127.1',
    '①②⑦.0.0.1',
    '[::ffff:7f00:1]',
    '[::1]',
    '[::]',
    '0',
    'localhost',
    'localhost.',
    'LOCALHOST..',
    'ⓛocalhost',
    'api.localhost',
  ])('%s, which means this machine, is refused', async (host) => {
    const receiver = await everywhere()
    // The resolver's answer makes no difference.
    const sender = openSender({ allow: [], resolve: found('127.0.0.1') })
    expect((await sender.send(request(`http://${host}:${receiver.port}/`))).outcome).toEqual(FORBIDDEN)
    expect(receiver.arrivals).toEqual([])
  })

  test('a name that resolves to special addresses is refused, whatever each lookup returns', async () => {
    const receiver = await everywhere()
    let answer: string[] = []
    const sender = openSender({ allow: [], resolve: () => Promise.resolve(answer) })
    await fc.assert(
      fc.asyncProperty(fc.array(specialAddress, { minLength: 1, maxLength: 5 }), async (addresses) => {
        answer = addresses
        const attempt = await sender.send(request(`http://receiver.example:${receiver.port}/`))
        expect(attempt.outcome).toEqual(FORBIDDEN)
        for (const address of addresses) expect(attempt.detail).not.toContain(address)
      }),
      { numRuns: 1000 },
    )
    expect(receiver.arrivals).toEqual([])
  })

  test('only the allowed addresses of a name are dialled', async () => {
    const receiver = await everywhere()
    const allow = ['127.0.0.9/32']
    let answer: string[] = []
    const sender = openSender({ allow, resolve: () => Promise.resolve(answer) })
    const forbidden = fc.array(
      specialAddress.filter((address) => whySpecial(address, allow) !== null),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(forbidden, forbidden, fc.nat(), async (before, after, i) => {
        answer = [...before, '127.0.0.9', ...after]
        // Another name each time, so that no connection is used again.
        const attempt = await sender.send(request(`http://r${i}.example:${receiver.port}/`))
        expect(attempt.outcome).toEqual(OK)
      }),
      { numRuns: 200 },
    )
    expect(new Set(receiver.arrivals)).toEqual(new Set(['127.0.0.9']))
  })

  test('a resolver reply that is not an address is not dialled', async () => {
    const sender = openSender({ allow: ['0.0.0.0/0', '::/0'], resolve: found('localhost', '', '127.0.0.1:80') })
    expect((await sender.send(request('http://receiver.example/'))).outcome).toEqual(FORBIDDEN)
  })
})

describe('the address that was checked is the one dialled', () => {
  test('a name that resolves elsewhere a moment later does not change the dialled address', async () => {
    const receiver = await everywhere()
    const answers = [['127.0.0.9'], ['127.0.0.1'], ['::1'], ['127.0.0.9']]
    const sender = openSender({ allow: ['127.0.0.9/32'], resolve: () => Promise.resolve(answers.shift() ?? []) })
    const outcomes = []
    for (let i = 0; i < 4; i += 1) {
      // Each has its own connection, so the name is looked up once for each.
      const { outcome } = await sender.send(request(`http://receiver${i}.example:${receiver.port}/`))
      outcomes.push(outcome)
    }
    expect(outcomes).toEqual([OK, FORBIDDEN, FORBIDDEN, OK])
    expect(receiver.arrivals).toEqual(['127.0.0.9', '127.0.0.9'])
  })

  test('a kept connection stays with the checked address', async () => {
    const receiver = await everywhere()
    const answers = [['127.0.0.9']]
    const sender = openSender({ resolve: () => Promise.resolve(answers.shift() ?? ['127.0.0.1']) })
    for (let i = 0; i < 3; i += 1) await sender.send(request(`http://receiver.example:${receiver.port}/`))
    expect(receiver.requests).toHaveLength(3)
    expect(receiver.arrivals).toEqual(['127.0.0.9'])
  })

  test('no request is sent if the system connects to a different address', async () => {
    const receiver = await everywhere()
    // The system connects to loopback where "any address" is dialled.
    const sender = openSender({ allow: ['0.0.0.0/32', '::/128'], resolve: found('0.0.0.0') })
    const literal = await sender.send(request(`http://0.0.0.0:${receiver.port}/`))
    const named = await sender.send(request(`http://receiver.example:${receiver.port}/`))
    for (const { outcome, detail } of [literal, named]) {
      expect(outcome).toEqual(FORBIDDEN)
      expect(detail).toBe('The connection reached a different address than the one dialled.')
    }
    expect(receiver.requests).toEqual([])
  })

  test('a registered name is not dialled once it resolves to a private address', async () => {
    const receiver = await everywhere()
    const url = `http://receiver.example:${receiver.port}/`
    expect(checkCallback({ url }, { production: false, callbackAllow: [] })).toEqual([])
    for (const address of ['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1']) {
      const attempt = await openSender({ allow: [], resolve: found(address) }).send(request(url))
      expect([address, attempt.outcome]).toEqual([address, FORBIDDEN])
    }
    expect(receiver.arrivals).toEqual([])
  })

  test('the request carries the host name, not the address', async () => {
    const receiver = await everywhere()
    const sender = openSender({ resolve: found('127.0.0.9') })
    await sender.send(request(`http://receiver.example:${receiver.port}/`))
    expect(receiver.requests[0]!.headers.host).toBe(`receiver.example:${receiver.port}`)
  })
})

describe('a name with several addresses', () => {
  test('the next address is tried after one refuses the connection', async () => {
    const receiver = await httpReceiver(undefined, { host: '127.0.0.9' })
    const sender = openSender({ resolve: found('127.0.0.8', '::1', '127.0.0.9') })
    expect((await sender.send(request(`http://receiver.example:${receiver.port}/`))).outcome).toEqual(OK)
  })

  test('the failure detail names every address that failed', async () => {
    const receiver = await httpReceiver(undefined, { host: '127.0.0.9' })
    const sender = openSender({ resolve: found('127.0.0.7', '127.0.0.8') })
    const attempt = await sender.send(request(`http://receiver.example:${receiver.port}/?secret`))
    expect(attempt.outcome).toEqual({ kind: 'failed', error: 'connect' })
    expect(attempt.detail).toBe('Failed to connect (127.0.0.7: ECONNREFUSED; 127.0.0.8: ECONNREFUSED).')
  })

  test('at most four addresses are tried', async () => {
    const receiver = await httpReceiver(undefined, { host: '127.0.1.1' })
    const many = Array.from({ length: 50 }, (_, i) => `127.0.0.${i + 1}`)
    const sender = openSender({ resolve: found(...many, '127.0.1.1') })
    const attempt = await sender.send(request(`http://receiver.example:${receiver.port}/`))
    expect(attempt.detail).toBe(
      `Failed to connect (${[1, 2, 3, 4].map((i) => `127.0.0.${i}: ECONNREFUSED`).join('; ')}).`,
    )
  })
})

describe('name lookup', () => {
  const LOOPBACK_9 = [127, 0, 0, 9]
  const MAPPED_1 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1]
  const never = new AbortController().signal

  test('a lookup returns the addresses of both families', async () => {
    const resolver = await nameServer((_, type) => (type === 'A' ? [LOOPBACK_9] : [MAPPED_1]))
    const addresses = await resolveThrough(resolver)('receiver.example', never)
    expect(addresses.toSorted()).toEqual(['127.0.0.9', '::ffff:127.0.0.1'])
  })

  test('a lookup does not wait for a family that the name server does not answer for', async () => {
    const resolver = await nameServer((_, type) => (type === 'A' ? [LOOPBACK_9] : 'silence'), { timeoutMs: 10_000 })
    const started = performance.now()
    expect(await resolveThrough(resolver)('receiver.example', never)).toEqual(['127.0.0.9'])
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  test('a lookup that hangs does not delay other names', async () => {
    const receiver = await everywhere()
    const resolver = await nameServer(
      (name, type) => (name.startsWith('hangs') ? 'silence' : type === 'A' ? [LOOPBACK_9] : 'nothing'),
      { timeoutMs: 2_000 },
    )
    const sender = openSender({ resolve: resolveThrough(resolver) })
    let ended = 0
    const hanging = Array.from({ length: 50 }, async (_, i) => {
      const { outcome } = await sender.send(request(`http://hangs${i}.example/`))
      ended++
      return outcome
    })
    const attempt = await sender.send(request(`http://receiver.example:${receiver.port}/`))
    expect(attempt.outcome).toEqual(OK)
    expect(ended).toBe(0)
    for (const outcome of await Promise.all(hanging)) expect(outcome).toEqual({ kind: 'failed', error: 'dns' })
  })

  test('a name that no name server knows is looked up by the system', async () => {
    const asked: string[] = []
    const resolver = await nameServer((name) => {
      asked.push(name)
      return 'nothing'
    })
    // The one name that every hosts file has; `dial` itself never asks for it.
    expect(await resolveThrough(resolver)('localhost', never)).toContain('127.0.0.1')
    const many = Array.from({ length: 8 }, () => resolveThrough(resolver)('nowhere.invalid', never))
    expect(new Set((await Promise.allSettled(many)).map(({ status }) => status))).toEqual(new Set(['rejected']))
  })

  test('a lookup that finds nothing fails as dns', async () => {
    const resolver = await nameServer(() => 'nothing')
    const sender = openSender({ resolve: resolveThrough(resolver) })
    const attempt = await sender.send(request('http://nowhere.invalid/?secret'))
    expect(attempt).toMatchObject({ outcome: { kind: 'failed', error: 'dns' } })
    expect(attempt.detail).not.toContain('secret')
    const empty = await openSender({ resolve: found() }).send(request('http://nowhere.invalid/'))
    expect(empty.outcome).toEqual({ kind: 'failed', error: 'dns' })
  })
})

describe('TLS', () => {
  const TLS_FAILED = { kind: 'failed', error: 'tls' }
  const ca = SELF_SIGNED.cert
  const secured = () => httpReceiver(undefined, { host: '127.0.0.9', secure: true })

  test('TLS verifies the host name on a connection to the checked address', async () => {
    const receiver = await secured()
    const sender = openSender({ ca, resolve: found('127.0.0.9') })
    for (const host of ['receiver.example', 'RECEIVER.example', 'receiver.example.']) {
      expect((await sender.send(request(`https://${host}:${receiver.port}/`))).outcome).toEqual(OK)
    }
  })

  test('TLS to a receiver with a self-signed certificate fails', async () => {
    const receiver = await secured()
    const attempt = await openSender({ resolve: found('127.0.0.9') }).send(
      request(`https://receiver.example:${receiver.port}/`),
    )
    expect(attempt).toMatchObject({
      outcome: TLS_FAILED,
      detail: 'TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
    })
    expect(receiver.requests).toEqual([])
  })

  test('TLS to a receiver whose certificate is for another name fails', async () => {
    const receiver = await secured()
    const sender = openSender({ ca, resolve: found('127.0.0.9') })
    for (const host of ['other.example', '127.0.0.9']) {
      expect((await sender.send(request(`https://${host}:${receiver.port}/`))).outcome).toEqual(TLS_FAILED)
    }
    expect(receiver.requests).toEqual([])
  })

  test('TLS to a receiver without TLS fails', async () => {
    const receiver = await httpReceiver(undefined, { host: '127.0.0.9' })
    const attempt = await openSender().send(request(`https://127.0.0.9:${receiver.port}/`))
    expect(attempt.outcome).toEqual(TLS_FAILED)
  })

  test('TLS connections are kept for the next request', async () => {
    const receiver = await secured()
    const sender = openSender({ ca, resolve: found('127.0.0.9') })
    for (let i = 0; i < 3; i += 1) await sender.send(request(`https://receiver.example:${receiver.port}/`))
    expect(receiver.requests).toHaveLength(3)
    expect(receiver.arrivals).toHaveLength(1)
  })
})
