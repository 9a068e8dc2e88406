import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  DISCREET_OPERATOR,
  messageAbout,
  operate,
  OPERATOR,
  report,
  seenByOperator,
  staffed,
} from '../support/operator.ts'
import { created, SECRET, stored } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { freePort, ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { commands } from './run-commands.ts'

const CLINIC = { id: 'riverside', name: 'Riverside', services: ['urine'] }

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(staffed({ clinics: [CLINIC] }))
  env = { OTS_URL: service.origin, OTS_TOKEN: OPERATOR }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

const { outputOf, errorOf } = commands(() => env)

async function fileOf(content: string | object): Promise<string> {
  const path = join(folder, `${Math.random()}.txt`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('ots orders', () => {
  test('ots orders show prints status, services, next statuses, clinic and timeline', async () => {
    const order = await created(service, { package: { id: 'several' } })
    const [json, ...sheets] = await Promise.all([
      outputOf('orders', 'show', order.code, '--json'),
      outputOf('orders', 'show', order.id),
      outputOf('orders', 'show', order.code.toLowerCase()),
    ])
    expect(JSON.parse(json)).toMatchObject({ order: { id: order.id } })
    for (const sheet of sheets) {
      expect(sheet).toMatch(new RegExp(`^Order +${order.code}  ${order.id}$`, 'm'))
      expect(sheet).toMatch(/^Status +ordered since \S+Z$/m)
      expect(sheet).toMatch(/^Participant +Maria Lopez$/m)
      expect(sheet).toMatch(/^Clinic +none yet$/m)
      expect(sheet).toMatch(/^1 +Urine +linkSent +no specimen +next: scheduled, checkedIn.* osv_\w+$/m)
      expect(sheet).toMatch(/^3 +Audiogram /m)
      expect(sheet).toMatch(/^\S+Z +The order became ordered\.$/m)
    }
  })

  test('ots orders show hides the participant from a token that may not read it', async () => {
    const order = await created(service)
    const { stdout } = await ots(['orders', 'show', order.id], { ...env, OTS_TOKEN: DISCREET_OPERATOR })
    expect(stdout).toMatch(/^Participant +hidden from this token$/m)
    expect(stdout).not.toContain('Lopez')
  })

  test('ots orders show escapes control characters', async () => {
    const participant = { firstName: '\u001B[2JMaria', lastName: 'Lo\npez' }
    // Orders placed before control characters were refused may hold them.
    const sheet = await outputOf('orders', 'show', (await stored(service, { participant })).id)
    expect(sheet).toContain(String.raw`\u001b[2JMaria Lo pez`)
    expect(sheet).not.toContain('\u001B')
  })

  test.each([
    ['move', '1', 'checkedIn'],
    ['correct', '1', '--specimen', 'S-1', '--reason', 'Misread.'],
    ['book', CLINIC.id],
    ['contact', '--email', 'new@example.com', '--reason', 'She called.'],
    ['extend', '--days', '14', '--reason', 'On leave.'],
    ['cancel', '--reason', 'Placed twice.'],
  ])('ots orders %s --based-on refuses to change an order that has changed', async (command, ...args) => {
    const { id, code, updatedAt } = await created(service)
    const { body } = await operate(service, 'PATCH', `/orders/${id}/expiry`, { days: 3, reason: 'First.' })
    const change = (time: string) => ots(['orders', command, id, ...args, '--based-on', time], env)
    expect(await change(updatedAt)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Order ${code} was changed meanwhile`) as string,
    })
    expect(await change(body.order.updatedAt)).toMatchObject({ code: 0 })
  })

  test('ots orders move finds a service by its position, its id and its id in the catalog', async () => {
    const order = await created(service, { package: { id: 'several' } })
    const moved = await outputOf('orders', 'move', order.code, '1', 'checkedIn', '--at', '2026-03-04T10:00:00Z')
    expect(moved).toBe(`Order ${order.code} is pending: Urine is checkedIn.\n`)
    const args = ['--specimen', 'S-77', '--courier', 'Swift', '--tracking', 'T-1', '--reason', 'Seen on site.']
    await outputOf('orders', 'move', order.id, order.services[0].id, 'collected', ...args)
    await outputOf('orders', 'move', order.id, 'hair', 'checkedIn')
    const { services, order: seen, timeline } = await seenByOperator(service, order.id)
    expect(services.map(({ status }) => status)).toEqual(['collected', 'checkedIn', 'linkSent'])
    expect(seen.services[0]).toMatchObject({ specimenId: 'S-77', courierServiceName: 'Swift', trackingNumber: 'T-1' })
    expect(timeline.map(({ details }) => details['reason'])).toContain('Seen on site.')
  })

  test('ots orders move lists the services if it finds none, and reports an invalid move', async () => {
    const order = await created(service)
    const [noService, notNext, unknown, missing] = await Promise.all([
      errorOf('orders', 'move', order.code, '2', 'checkedIn'),
      errorOf('orders', 'move', order.code, '1', 'receivedAtLab'),
      errorOf('orders', 'move', order.code, '1', 'lost'),
      errorOf('orders', 'show', 'ord_none'),
    ])
    expect(noService).toBe(
      `Order ${order.code} has no service "2". Its services:\n  1  ${order.services[0].id}  urine  linkSent\n`,
    )
    expect(notNext).toMatch(/^The service refused this: 422 Unprocessable Entity\n {2}.+ \(invalidState\)\n$/)
    expect(unknown).toMatch(/^The service refused this: 400 Bad Request\n {2}\/status: .+ \(invalidValue\)\n$/)
    expect(missing).toContain('404 Not Found')
  })

  test('ots orders correct and cancel require a reason, which the audit log keeps', async () => {
    const order = await created(service)
    const without = [
      ['correct', order.id, '1', '--specimen', 'S-2'],
      ['cancel', order.id],
    ]
    const ended = await Promise.all(without.map((args) => ots(['orders', ...args], env)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2])
    await outputOf('orders', 'correct', order.id, '1', '--specimen', 'S-2', '--reason', 'Misread label.')
    expect(await outputOf('orders', 'cancel', order.id, '--reason', 'Placed twice.')).toBe(
      `Order ${order.code} is cancelled.\n`,
    )
    const log = await outputOf('audit', '--order', order.code)
    expect(log).toMatch(new RegExp(`operator  order.cancel +order ${order.code}  Placed twice.`))
    expect(log).toMatch(/operator {2}service.correct .* Misread label\./)
  })
})

describe('ots orders with a medical review', () => {
  test('ruling 61: ots orders move and correct require and record the name and date of a medical review', async () => {
    const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    for (const status of ['checkedIn', 'collected', 'receivedAtLab', 'testing', 'mroReview'])
      await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, { status })
    const without = await errorOf('orders', 'move', order.code, '1', 'positive')
    expect(without).toContain('  /reviewer: Name the medical reviewer who decided this. (required)\n')
    expect(without).toContain('  /decidedAt: Say when the medical reviewer decided this. (required)\n')
    const review = ['--reviewer', 'Dr. Ruth Okafor', '--decided', '2026-03-04']
    expect(await outputOf('orders', 'move', order.code, '1', 'positive', ...review)).toContain('is positive')
    const correction = ['--status', 'negative', '--reason', 'Mixed up.']
    expect(await outputOf('orders', 'correct', order.code, '1', ...correction, ...review)).toContain('is negative')
    for (const action of ['service.move', 'service.correct']) {
      const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}&action=${action}&limit=1`)).body
      expect(data[0].after.review).toEqual({ reviewer: 'Dr. Ruth Okafor', decidedAt: '2026-03-04' })
    }
  })
})

describe('ots results', () => {
  test('ots results post exits with 0 if the message is applied, and with 3 if it is queued', async () => {
    const order = await created(service)
    const applied = await outputOf('results', 'post', await fileOf(messageAbout(order)))
    expect(applied).toMatch(new RegExp(`^Applied message rsl_\\w+ to order ${order.id}, service osv_\\w+\\.\n$`))
    const waiting = await ots(['results', 'post', await fileOf(messageAbout({ code: 'ZZZZ-ZZZZ' }))], env)
    expect([waiting.code, waiting.stdout]).toEqual([
      3,
      expect.stringMatching(/ is queued for an operator: noMatch\.\n$/),
    ])
  })

  test('ots results post reports every problem of a message, and a file that is not one', async () => {
    const [wrong, text, none] = await Promise.all([
      errorOf('results', 'post', await fileOf({ messageId: 'x', event: 'lost' })),
      errorOf('results', 'post', await fileOf('Dear laboratory')),
      errorOf('results', 'post', join(folder, 'none.json')),
    ])
    expect(wrong).toContain('  /sender: This member is required. (required)\n')
    expect(wrong).toContain('  /event: Expected one of ')
    expect(text).toContain('neither JSON nor HL7 v2')
    expect(none).toContain('Cannot read')
  })

  /** A message that is queued for an operator. */
  const queued = async () => ((await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }))).body as { id: string }).id

  test('ots results unmatched lists queued messages, and show prints their content', async () => {
    const id = await queued()
    const [queue, shown] = await Promise.all([outputOf('results', 'unmatched'), outputOf('results', 'show', id)])
    expect(queue).toMatch(new RegExp(`^\\S+Z  ${id}  lab lab-1 +message-\\d+ +receivedAtLab  noMatch  no order$`, 'm'))
    expect(queue).toMatch(/^1 to \d+ of \d+ messages, newest first\.$/m)
    expect(JSON.parse(shown)).toMatchObject({ id, message: { event: 'receivedAtLab' } })
  })

  test('ots results refused lists rejected HL7 messages, and prints one with its text', async () => {
    expect(await outputOf('results', 'refused')).toBe('No HL7 messages were rejected in the last 30 days.\n')
    await service.app.answerHl7(Buffer.from('no HL7 at all'), OPERATOR, '198.51.100.7')
    const list = await outputOf('results', 'refused')
    const [, id] =
      /^\S+Z {2}(rfm_\w+) +1× +mllp +198\.51\.100\.7 .* AR The message does not begin with/m.exec(list) ?? []
    const shown = await outputOf('results', 'refused', id!)
    expect(JSON.parse(shown)).toMatchObject({ id })
    expect(shown).not.toContain('HL7 at all')
    const revealed = await outputOf('results', 'refused', id!, '--reveal')
    expect(JSON.parse(revealed)).toMatchObject({ id, text: 'no HL7 at all' })
  })

  test('ots results assign applies a queued message, dismiss removes it, and neither works twice', async () => {
    const order = await created(service)
    const [first, second] = [await queued(), await queued()]
    const [assigned, dismissed] = await Promise.all([
      outputOf('results', 'assign', first, order.services[0].id, '--reason', 'Misread code.'),
      outputOf('results', 'dismiss', second, '--reason', 'Not ours.'),
    ])
    expect(assigned).toBe(`Applied message ${first} to order ${order.id}.\n`)
    expect(dismissed).toBe(`Dismissed message ${second}.\n`)
    expect(await errorOf('results', 'dismiss', second, '--reason', 'Again.')).toContain('(invalidState)')
  })
})

describe('ots audit', () => {
  test('ots audit filters by action, token, subject and time', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Twice.' })
    const count = async (...args: string[]) =>
      (JSON.parse(await outputOf('audit', '--json', ...args)) as { total: number }).total
    const counts = await Promise.all([
      count('--order', order.id, '--action', 'order.cancel', '--by', 'operator'),
      count('--subject', order.id, '--to', '2999-01-01'),
      count('--subject', order.id, '--by', 'other-operator'),
      count('--subject', order.id, '--from', '2999-01-01'),
    ])
    expect(counts).toEqual([1, 1, 0, 0])
    expect(await outputOf('audit', '--action', 'none.such')).toBe('No audit entries found.\n')
  })
})

describe('a command that calls the service', () => {
  test('a command that calls the service requires a token, and says how to get one', async () => {
    const stderr = await commands(() => ({ ...env, OTS_TOKEN: undefined })).errorOf('audit')
    expect(stderr).toContain('OTS_TOKEN')
    expect(stderr).toContain("ots token create --scopes 'operator.*'")
  })

  test('a command that calls the service reports a missing scope', async () => {
    expect(await errorOf('audit', '--token', SECRET)).toBe(
      'The service refused this: 401 Unauthorized\n  This token lacks the scope operator.audit.read. Use a token that has it. (insufficientScope)\n',
    )
  })

  test('a command that cannot reach the service names the address: --url, OTS_URL, or HOST and PORT', async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const expected = `Cannot reach the service at ${address}: connection refused.`
    const messages = await Promise.all([
      errorOf('audit', '--url', `${address}/`),
      commands(() => ({ ...env, OTS_URL: address })).errorOf('audit'),
      commands(() => ({ ...env, OTS_URL: undefined, PORT: String(port) })).errorOf('audit'),
    ])
    for (const stderr of messages) expect(stderr).toContain(expected)
    expect(await errorOf('audit', '--url', 'localhost:3000')).toContain('Invalid address "localhost:3000"')
  })

  test('a command that calls the service follows no redirect with its token', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await errorOf('audit', '--url', url)).toContain('redirect')
    expect(asked).toHaveLength(1)
    server.close()
  })
})
