import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
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
import { freePort, ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-operator-'))
  service = await startService()
  await service.apply(staffed())
  env = { OTS_URL: service.origin, OTS_TOKEN: OPERATOR }
})
afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What a command has to say, one that succeeds. */
async function said(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await ots(words, env)
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
  return stdout
}

/** What a command has to say that is refused. */
async function refused(words: string[], other: Record<string, string | undefined> = {}): Promise<string> {
  const { code, stdout, stderr } = await ots(words, { ...env, ...other })
  expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' })
  return stderr
}

async function fileOf(content: string | object): Promise<string> {
  const path = join(folder, `${Math.random()}.txt`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('ots orders', () => {
  test('show prints a sheet: status, services, what may come next, clinic and time line', async () => {
    const order = await created(service, { package: { id: 'several' } })
    const [json, ...sheets] = await Promise.all([
      said('orders', 'show', order.code, '--json'),
      said('orders', 'show', order.id),
      said('orders', 'show', order.code.toLowerCase()),
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

  test('show leaves the participant out for a token that may not read it', async () => {
    const order = await created(service)
    const { stdout } = await ots(['orders', 'show', order.id], { ...env, OTS_TOKEN: DISCREET_OPERATOR })
    expect(stdout).toMatch(/^Participant +not shown to this token$/m)
    expect(stdout).not.toContain('Lopez')
  })

  test('show writes nothing that a terminal would obey', async () => {
    const participant = { firstName: '\u001B[2JMaria', lastName: 'Lo\npez' }
    // Orders placed before control characters were refused may hold them.
    const sheet = await said('orders', 'show', (await stored(service, { participant })).id)
    expect(sheet).toContain(String.raw`\u001b[2JMaria Lo pez`)
    expect(sheet).not.toContain('\u001B')
  })

  test('move takes a service by its place, its id and its id in the catalog', async () => {
    const order = await created(service, { package: { id: 'several' } })
    const moved = await said('orders', 'move', order.code, '1', 'checkedIn', '--at', '2026-03-04T10:00:00Z')
    expect(moved).toBe(`Order ${order.code}: Urine is checkedIn, the order is pending.\n`)
    const words = ['--specimen', 'S-77', '--courier', 'Swift', '--tracking', 'T-1', '--reason', 'Seen on site.']
    await said('orders', 'move', order.id, order.services[0].id, 'collected', ...words)
    await said('orders', 'move', order.id, 'hair', 'checkedIn')
    const { services, order: seen, timeline } = await seenByOperator(service, order.id)
    expect(services.map(({ status }) => status)).toEqual(['collected', 'checkedIn', 'linkSent'])
    expect(seen.services[0]).toMatchObject({ specimenId: 'S-77', courierServiceName: 'Swift', trackingNumber: 'T-1' })
    expect(timeline.map(({ details }) => details['reason'])).toContain('Seen on site.')
  })

  test('move says which services there are when none is meant, and what may not be', async () => {
    const order = await created(service)
    const [nowhere, notNext, unknown, missing] = await Promise.all([
      refused(['orders', 'move', order.code, '2', 'checkedIn']),
      refused(['orders', 'move', order.code, '1', 'receivedAtLab']),
      refused(['orders', 'move', order.code, '1', 'lost']),
      refused(['orders', 'show', 'ord_none']),
    ])
    expect(nowhere).toBe(
      `Order ${order.code} has no such service as "2". It has:\n  1  ${order.services[0].id}  urine  linkSent\n`,
    )
    expect(notNext).toMatch(/^The service refused this: 422 Unprocessable Entity\n {2}.+ \(invalidState\)\n$/)
    expect(unknown).toMatch(/^The service refused this: 400 Bad Request\n {2}\/status: .+ \(invalidValue\)\n$/)
    expect(missing).toContain('404 Not Found')
  })

  test('correct and cancel want a reason, which the trail keeps', async () => {
    const order = await created(service)
    const without = [
      ['correct', order.id, '1', '--specimen', 'S-2'],
      ['cancel', order.id],
    ]
    const ended = await Promise.all(without.map((words) => ots(['orders', ...words], env)))
    expect(ended.map(({ code }) => code)).toEqual([2, 2])
    await said('orders', 'correct', order.id, '1', '--specimen', 'S-2', '--reason', 'Misread label.')
    expect(await said('orders', 'cancel', order.id, '--reason', 'Placed twice.')).toBe(
      `Order ${order.code}: it is cancelled.\n`,
    )
    const trail = await said('audit', '--order', order.code)
    expect(trail).toMatch(new RegExp(`operator  order.cancel +order ${order.id}  Placed twice.`))
    expect(trail).toMatch(/operator {2}service.correct .* Misread label\./)
  })
})

describe('ruling 61: ots orders', () => {
  test('move and correct record the decision of a medical reviewer, whose name and date they ask for', async () => {
    const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    for (const status of ['checkedIn', 'collected', 'receivedAtLab', 'testing', 'mroReview'])
      await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, { status })
    const without = await refused(['orders', 'move', order.code, '1', 'positive'])
    expect(without).toContain('  /reviewer: Send the name of the medical reviewer who decided this. (required)\n')
    expect(without).toContain('  /decidedAt: Send the time at which the medical reviewer decided this. (required)\n')
    const review = ['--reviewer', 'Dr. Ruth Okafor', '--decided', '2026-03-04']
    expect(await said('orders', 'move', order.code, '1', 'positive', ...review)).toContain('is positive')
    const correction = ['--status', 'negative', '--reason', 'Mixed up.']
    expect(await said('orders', 'correct', order.code, '1', ...correction, ...review)).toContain('is negative')
    for (const action of ['service.move', 'service.correct']) {
      const { data } = (await operate(service, 'GET', `/audit?subjectId=${order.id}&action=${action}&limit=1`)).body
      expect(data[0].after.review).toEqual({ reviewer: 'Dr. Ruth Okafor', decidedAt: '2026-03-04' })
    }
  })
})

describe('ots results', () => {
  test('post applies a message and ends with 0, or with 3 where it waits for an operator', async () => {
    const order = await created(service)
    const applied = await said('results', 'post', await fileOf(messageAbout(order)))
    expect(applied).toMatch(new RegExp(`^Message rsl_\\w+ is applied to order ${order.id}, service osv_\\w+\\.\n$`))
    const waiting = await ots(['results', 'post', await fileOf(messageAbout({ code: 'ZZZZ-ZZZZ' }))], env)
    expect([waiting.code, waiting.stdout]).toEqual([3, expect.stringMatching(/ waits for an operator: noMatch\.\n$/)])
  })

  test('post tells every problem of a message, and what is no message', async () => {
    const [wrong, letter, none] = await Promise.all([
      refused(['results', 'post', await fileOf({ messageId: 'x', event: 'lost' })]),
      refused(['results', 'post', await fileOf('Dear laboratory')]),
      refused(['results', 'post', join(folder, 'none.json')]),
    ])
    expect(wrong).toContain('  /sender: This member is required. (required)\n')
    expect(wrong).toContain('  /event: Expected one of ')
    expect(letter).toContain('neither JSON nor HL7 v2')
    expect(none).toContain('Cannot read')
  })

  /** A message that waits for an operator. */
  const waiting = async () => ((await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }))).body as { id: string }).id

  test('unmatched lists what waits, and show prints all that a message says', async () => {
    const id = await waiting()
    const [queue, shown] = await Promise.all([said('results', 'unmatched'), said('results', 'show', id)])
    expect(queue).toMatch(new RegExp(`^\\S+Z  ${id}  lab lab-1 +message-\\d+ +receivedAtLab  noMatch  no order$`, 'm'))
    expect(queue).toMatch(/^1 to \d+ of \d+ messages, newest first\.$/m)
    expect(JSON.parse(shown)).toMatchObject({ id, message: { event: 'receivedAtLab' } })
  })

  test('refused lists HL7 messages that were refused, and prints one with its text', async () => {
    expect(await said('results', 'refused')).toBe('No HL7 message was refused in the last 30 days.\n')
    await service.app.answerHl7(Buffer.from('no HL7 at all'), OPERATOR, '198.51.100.7')
    const list = await said('results', 'refused')
    const [, id] =
      /^\S+Z {2}(rfm_\w+) {2}1× {2}mllp {2}198\.51\.100\.7 .* AR This does not begin with/m.exec(list) ?? []
    expect(JSON.parse(await said('results', 'refused', id!))).toMatchObject({ id, text: 'no HL7 at all' })
  })

  test('assign applies what waits, dismiss takes it out of the queue, and neither can be done twice', async () => {
    const order = await created(service)
    const [first, second] = [await waiting(), await waiting()]
    const [assigned, dismissed] = await Promise.all([
      said('results', 'assign', first, order.services[0].id, '--reason', 'Misread code.'),
      said('results', 'dismiss', second, '--reason', 'Not ours.'),
    ])
    expect(assigned).toBe(`Message ${first} is applied to order ${order.id}.\n`)
    expect(dismissed).toBe(`Message ${second} is dismissed.\n`)
    expect(await refused(['results', 'dismiss', second, '--reason', 'Again.'])).toContain('(invalidState)')
  })
})

describe('ots audit', () => {
  test('lists by action, token, subject and time', async () => {
    const order = await created(service)
    await operate(service, 'PUT', `/orders/${order.id}/cancellation`, { reason: 'Twice.' })
    const count = async (...words: string[]) =>
      (JSON.parse(await said('audit', '--json', ...words)) as { total: number }).total
    const counts = await Promise.all([
      count('--order', order.id, '--action', 'order.cancel', '--by', 'operator'),
      count('--subject', order.id, '--to', '2999-01-01'),
      count('--subject', order.id, '--by', 'discreet-operator'),
      count('--subject', order.id, '--from', '2999-01-01'),
    ])
    expect(counts).toEqual([1, 1, 0, 0])
    expect(await said('audit', '--action', 'none.such')).toBe('There are no such entries.\n')
  })
})

describe('a command that asks the service', () => {
  test('wants a token, and says how to get one', async () => {
    const stderr = await refused(['audit'], { OTS_TOKEN: undefined })
    expect(stderr).toContain('OTS_TOKEN')
    expect(stderr).toContain("ots token create --scopes 'operator.*'")
  })

  test('tells that the token may not', async () => {
    expect(await refused(['audit', '--token', SECRET])).toBe(
      'The service refused this: 401 Unauthorized\n  This token lacks the scope operator.audit.read. Use a token that has it. (insufficientScope)\n',
    )
  })

  test('tells which address it has tried: that of --url, OTS_URL, or HOST and PORT', async () => {
    const port = await freePort()
    const address = `http://127.0.0.1:${port}`
    const expected = `Cannot reach the service at ${address}: connection refused.`
    const told = await Promise.all([
      refused(['audit', '--url', `${address}/`]),
      refused(['audit'], { OTS_URL: address }),
      refused(['audit'], { OTS_URL: undefined, PORT: String(port) }),
    ])
    for (const stderr of told) expect(stderr).toContain(expected)
    expect(await refused(['audit', '--url', 'localhost:3000'])).toContain('is no address such as')
  })

  test('follows no redirect with its token', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(302, { location: '/elsewhere' }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await refused(['audit', '--url', url])).toContain('redirect')
    expect(asked).toHaveLength(1)
    server.close()
  })
})
