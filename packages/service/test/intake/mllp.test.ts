import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { MllpListener, type MllpOptions } from '../../src/intake/mllp.ts'
import { created, SECRET } from '../orders/given.ts'
import { LAB, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { controlId, keptAs, NEGATIVE, oru, post, readAck, spm } from './given.ts'
import { framed, Sender } from './lines.ts'

const MIB = 1024 * 1024
const UNKNOWN = 'ZZZZ-ZZZZ'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const listeners: MllpListener[] = []
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()))
})

/** A listener of the service, with a connected sender. */
async function line(options: Partial<MllpOptions> = {}) {
  const listener = new MllpListener({
    host: '127.0.0.1',
    port: 0,
    answer: (message, address) => service.app.answerHl7(message, LAB, address),
    refuse: ({ bytes, ...refused }) => service.app.refuseHl7(bytes, LAB, refused),
    log: { warn: () => undefined },
    ...options,
  })
  listeners.push(listener)
  const port = await listener.start()
  return { listener, port, sender: await Sender.to(port) }
}

const idOf = (ack: string | undefined) => readAck(ack ?? '').msa.slice(1, 3)

describe('an MLLP message', () => {
  test('a message is answered as over HTTP once it is stored', async () => {
    const order = await created(service)
    const { sender } = await line()
    const message = oru({ code: order.code, lines: [NEGATIVE, spm()] })
    sender.write(framed(message))
    const ack = await sender.answer()
    expect(readAck(ack!).msa.slice(1)).toEqual(['AA', message.split('|')[9], 'applied'])
    expect((await service.call(SECRET, `/api/v2/orders/${order.id}`)).body).toMatchObject({ status: 'negative' })
    expect((await post(service, message, { secret: LAB })).text).toBe(ack)
  })

  test('a message may arrive byte by byte', async () => {
    const { sender } = await line()
    const id = controlId()
    sender.socket.setNoDelay(true)
    for (const byte of Buffer.from(framed(oru({ id, code: UNKNOWN }).replace('Lopez', 'Núñez')))) {
      sender.write(Buffer.of(byte))
      await sleep(0)
    }
    expect(idOf(await sender.answer())).toEqual(['AA', id])
    expect((await keptAs(service, id)).message.participant.lastName).toBe('Núñez')
  })

  test('messages that arrive together are answered in their order', async () => {
    const { sender } = await line()
    const ids = Array.from({ length: 20 }, () => controlId())
    sender.write(ids.map((id) => framed(oru({ id, code: UNKNOWN }))).join(''))
    for (const id of ids) expect(idOf(await sender.answer())).toEqual(['AA', id])
  })

  test('a message may be followed by line breaks and the end of the stream', async () => {
    const { sender } = await line()
    const [first, second] = [controlId(), controlId()]
    sender.socket.end(`${framed(oru({ id: first, code: UNKNOWN }))}\n\r\n${framed(oru({ id: second, code: UNKNOWN }))}`)
    expect(idOf(await sender.answer())).toEqual(['AA', first])
    expect(idOf(await sender.answer())).toEqual(['AA', second])
    await sender.closed
  })

  test('a refused message leaves the connection open for the next', async () => {
    const { sender } = await line()
    const id = controlId()
    sender.write(framed('no HL7') + framed(oru({ status: 'Q', id })) + framed(oru({ id, code: UNKNOWN })))
    expect(idOf(await sender.answer())).toEqual(['AR', ''])
    expect(idOf(await sender.answer())).toEqual(['AE', id])
    expect(idOf(await sender.answer())).toEqual(['AA', id])
  })

  test('a message whose sender left before the answer is stored, and a repeat gets that answer', async () => {
    const { sender, port } = await line()
    const message = oru({ code: UNKNOWN })
    sender.write(framed(message))
    await sleep(1)
    sender.socket.resetAndDestroy()
    const again = await Sender.to(port)
    again.write(framed(message))
    expect(idOf(await again.answer())[0]).toBe('AA')
    const rows = await service.pool`select id from result_reports where message_id = ${message.split('|')[9]!}`
    expect(rows).toHaveLength(1)
  })

  test('an incomplete message is not taken', async () => {
    const { sender, port } = await line()
    const id = controlId()
    sender.write(`\u000B${oru({ id, code: UNKNOWN })}`)
    sender.socket.end()
    expect(await sender.answer()).toBeUndefined()
    expect(await keptAs(service, id)).toBeUndefined()
    const next = await Sender.to(port)
    next.write(framed(oru({ id, code: UNKNOWN })))
    expect(idOf(await next.answer())).toEqual(['AA', id])
  })

  test('the answer asks to send a message again if the token was revoked or the database is down', async () => {
    const id = controlId()
    const revoked = await line({ answer: (message) => service.app.answerHl7(message, 'no-such-secret') })
    revoked.sender.write(framed(oru({ id })))
    const closed = readAck((await revoked.sender.answer())!)
    expect([...closed.msa.slice(1), closed.err[0]![3]]).toEqual([
      'AR',
      id,
      'This connection is no longer authorized.',
      '207^Application internal error^HL70357',
    ])
    const away = await startService()
    await away.apply(staffed())
    await away.pool.script('alter table result_reports rename to gone')
    const { sender } = await line({ answer: (message) => away.app.answerHl7(message, LAB) })
    sender.write(framed(oru({ id, code: UNKNOWN })))
    expect(readAck((await sender.answer())!).msa.slice(1, 3)).toEqual(['AR', id])
    await away.stop()
  })
})

describe('an MLLP connection', () => {
  test.each([
    ['GET / HTTP/1.1\r\n\r\n', 'A message must begin with <VT>.'],
    ['\u000Bone\u000Btwo\u001C\r', 'A message begins before the previous one has ended.'],
    ['\u000Bone\u001Ctwo', 'A message must end with <FS><CR>.'],
  ])('a connection ends with a refusal after %j', async (bytes, reason) => {
    const { sender } = await line({ limits: { closeMs: 100 } })
    sender.write(bytes)
    expect(readAck((await sender.answer())!).msa).toEqual(['MSA', 'AR', '', reason])
    await sender.closed
  })

  test('a message before invalid bytes is answered', async () => {
    const { sender } = await line({ limits: { closeMs: 100 } })
    const id = controlId()
    sender.write(`${framed(oru({ id, code: UNKNOWN }))}garbage`)
    expect(idOf(await sender.answer())).toEqual(['AA', id])
    expect(idOf(await sender.answer())).toEqual(['AR', ''])
    await sender.closed
  })

  test('a connection accepts messages of 15 MiB, and ends with a refusal at a longer one', async () => {
    const { sender } = await line({ limits: { closeMs: 500 } })
    const padded = (bytes: number) => {
      const start = oru({ code: UNKNOWN, lines: [NEGATIVE] })
      return `${start}ZZZ|${'x'.repeat(bytes - start.length - 4)}`
    }
    sender.write(framed(padded(15 * MIB)))
    expect(idOf(await sender.answer())[0]).toBe('AA')
    sender.write(framed(padded(15 * MIB + 1)))
    expect(readAck((await sender.answer())!).msa[3]).toBe('The message is larger than 15 MiB.')
    await sender.closed
  })

  test('a connection ends if it is silent, idle, or a message does not end in time', async () => {
    const { sender, port } = await line({ limits: { firstByteMs: 1_000, idleMs: 150, messageMs: 150 } })
    const [trickling, served] = [await Sender.to(port), await Sender.to(port)]
    served.write(framed(oru({ code: UNKNOWN })))
    expect(idOf(await served.answer())[0]).toBe('AA')
    trickling.write('\u000B')
    const drip = setInterval(() => trickling.write('x'), 20)
    await Promise.all([sender.closed, trickling.closed, served.closed])
    clearInterval(drip)
    expect([await sender.answer(), await trickling.answer()]).toEqual([undefined, undefined])
  })

  test('a connection does not end while its message is processed', async () => {
    const answer = async (message: Buffer) => {
      await sleep(400)
      return service.app.answerHl7(message, LAB)
    }
    const { sender } = await line({ answer, limits: { idleMs: 150, messageMs: 150 } })
    sender.write(framed(oru({ code: UNKNOWN })))
    expect(idOf(await sender.answer())[0]).toBe('AA')
  })

  test('a stopped listener answers the current message and takes no other', async () => {
    let begin: () => void
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const answer = async (message: Buffer) => {
      begin()
      await sleep(200)
      return service.app.answerHl7(message, LAB)
    }
    const { listener, sender, port } = await line({ answer })
    const idle = await Sender.to(port)
    const [first, second] = [controlId(), controlId()]
    sender.write(framed(oru({ id: first, code: UNKNOWN })) + framed(oru({ id: second, code: UNKNOWN })))
    await begun
    const stopped = listener.stop()
    listeners.splice(0)
    expect(idOf(await sender.answer())).toEqual(['AA', first])
    expect(await sender.answer()).toBeUndefined()
    await Promise.all([stopped, idle.closed])
    expect(await keptAs(service, second)).toBeUndefined()
    const late = Sender.to(port)
    await expect(late).rejects.toThrow('ECONNREFUSED')
  })

  test('a connection ends if the sender reads no answers', async () => {
    const answer = () => Promise.resolve(Buffer.alloc(8 * MIB, 'x'))
    const { listener, sender } = await line({ limits: { messageMs: 300 }, answer })
    sender.socket.pause()
    for (let i = 0; i < 4; i++) sender.write(framed('x'))
    await sleep(800)
    sender.socket.resume()
    await sender.closed
    expect(sender.socket.bytesRead).toBeLessThan(32 * MIB)
    await listener.stop()
    listeners.splice(0)
  })
})
