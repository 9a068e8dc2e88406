import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { staffed } from '../operator/given.ts'
import { body as orderBody, SECRET } from '../orders/given.ts'
import { costOf, MOST_CPU_MS, startHostile, type HostileService } from './hostile.ts'
import { exchange } from './raw.ts'

let service: HostileService
beforeAll(async () => {
  service = await startHostile(staffed())
}, 120_000)
afterAll(() => service.stop())

const say = (line: string) => process.stdout.write(`${line}\n`)

describe('bytes on a connection', { timeout: 120_000 }, () => {
  const head = (path: string, ...fields: string[]) => [`${path} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n')
  const bearer = `Authorization: Bearer ${SECRET}`

  /** The statuses of what a server answers to bytes, which must cost it little. */
  async function statusesOf(what: string, bytes: string): Promise<number[]> {
    const { answer, cpuMs } = await costOf(service, () => exchange(service.origin, bytes).catch(() => []))
    say(`${what.padEnd(60)} ${cpuMs.toFixed(0).padStart(5)} ms  ${answer.length} answers`)
    expect(cpuMs).toBeLessThan(MOST_CPU_MS)
    return answer.map(({ status }) => status)
  }

  test('thousands of headers are answered or refused', async () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'a:')
    expect(await statusesOf('24,000 headers', head('GET /api/v2/orders', ...fields(24_000)))).toEqual([431])
    const taken = head('GET /api/v2/companies', bearer, 'Connection: close', ...fields(8_000))
    expect(await statusesOf('8,000 headers', taken)).toEqual([200])
  })

  test('a body in chunks of one byte is refused', async () => {
    const start = head('POST /api/v2/orders', bearer, 'Content-Type: application/json', 'Transfer-Encoding: chunked')
    expect(await statusesOf('100,000 chunks of one byte', start + '1\r\n \r\n'.repeat(100_000))).toEqual([400])
  })

  test('a body in a thousand chunks of a usual size is taken', async () => {
    const start = head(
      'POST /api/v2/orders',
      bearer,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Connection: close',
    )
    const body = JSON.stringify(orderBody()).padEnd(1_100 * 128)
    const chunks = body.match(/[^]{1,128}/g)!.map((chunk) => `80\r\n${chunk}\r\n`)
    expect(chunks.at(-1)).toHaveLength(128 + 6)
    expect(await statusesOf('1,100 chunks of 128 bytes', `${start}${chunks.join('')}0\r\n\r\n`)).toEqual([201])
  })

  test('a connection with hundreds of requests at once is closed', async () => {
    for (const path of ['GET /healthz', 'GET /o/somebody', 'GET /api/v2/nothing'])
      expect((await statusesOf(`1,500 times ${path} at once`, head(path).repeat(1_500))).length).toBeLessThan(1_500)
  })

  test('thirty requests behind each other are all answered', async () => {
    const last = head('GET /healthz', 'Connection: close')
    expect(await statusesOf('30 requests at once', head('GET /healthz').repeat(29) + last)).toEqual(
      Array.from({ length: 30 }, () => 200),
    )
  })
})
