import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { created, SECRET } from '../orders/given.ts'
import { DISCREET_OPERATOR, LAB, messageAbout, MRO, operate, report, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { controlId, header, keptAs, NEGATIVE, obr, oru, PID, post, readAck, spm, toldBy } from './given.ts'

const REVIEWERS = 'intake-secret-several-kinds'

let service: TestService
beforeAll(async () => {
  service = await startService()
  const tokens = [token(REVIEWERS, { id: 'several', scopes: ['intake.mro', 'intake.bat'], companies: [] })]
  await service.apply(staffed({ tokens }))
})
afterAll(() => service.stop())

const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
const MIB = 1024 * 1024

describe('an HL7 message', () => {
  test('an applied message is answered AA with status 200', async () => {
    const order = await created(service)
    const id = controlId()
    const ack = await post(service, oru({ id, code: order.code, panel: 'urine', lines: [NEGATIVE, spm()] }), {
      secret: LAB,
    })
    expect(ack).toMatchObject({ status: 200, type: 'application/hl7-v2', err: [] })
    expect(ack.msa).toEqual(['MSA', 'AA', id, 'applied'])
    expect(await read(order.id)).toMatchObject({ status: 'negative', isFinal: true })
  })

  test('a queued message is answered AA with status 202', async () => {
    const id = controlId()
    const ack = await post(service, oru({ id, code: 'ZZZZ-ZZZZ' }))
    expect([ack.status, ...ack.msa]).toEqual([202, 'MSA', 'AA', id, 'queued: noMatch'])
    const { body } = await operate(service, 'GET', '/results?state=queued&senderId=HEARTLAND')
    expect(body.data.map(({ messageId }: { messageId: string }) => messageId)).toContain(id)
  })

  test('a DOT drug result from anyone but a medical reviewer is answered AE (49 CFR 40.97)', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    const refused = await post(service, oru({ code: order.code }), { secret: LAB })
    expect(toldBy(refused)).toMatch(/^400 AE MSH-4: Only the medical reviewer may report the result of a DOT drug test/)
    expect(refused.err[0]!.slice(2, 5)).toEqual(['MSH^1^4', '103^Table value not found^HL70357', 'E'])
    expect((await post(service, oru({ code: order.code, status: 'P' }), { secret: LAB })).status).toBe(200)
    expect((await post(service, oru({ code: order.code }), { secret: MRO })).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('the sender’s kind is the one of the token’s scope, and a laboratory if there are several', async () => {
    const [ofReviewer, ofLab, ofAll] = [controlId(), controlId(), controlId()]
    await post(service, oru({ id: ofReviewer }), { secret: MRO })
    await post(service, oru({ id: ofReviewer, code: 'ZZZZ-ZZZZ' }), { secret: MRO })
    await post(service, oru({ id: ofLab, code: 'ZZZZ-ZZZZ' }), { secret: LAB })
    await post(service, oru({ id: ofAll, code: 'ZZZZ-ZZZZ' }))
    const kinds = await Promise.all([ofReviewer, ofLab, ofAll].map(async (id) => (await keptAs(service, id)).message))
    expect(kinds.map(({ sender }) => sender.kind)).toEqual(['mro', 'lab', 'lab'])
    const neither = await post(service, oru({ code: 'ZZZZ-ZZZZ' }), { secret: REVIEWERS })
    expect(toldBy(neither)).toBe('400 AE MSH-4: This token may not report as a lab: it lacks the scope intake.lab.')
  })

  test('the text of a message is stored unchanged', async () => {
    const id = controlId()
    const message = oru({ id, code: 'ZZZZ-ZZZZ', lines: [NEGATIVE, 'ZZZ|of|their|own'] })
    await post(service, message.replaceAll('\r', '\r\n'))
    expect((await keptAs(service, id)).original).toBe(message.trimEnd())
  })

  test('an HL7 original is shown masked, and with the person only on request to operators who may read participants', async () => {
    const order = await created(service)
    const id = controlId()
    await post(service, oru({ id, code: order.code, lines: [NEGATIVE, spm()] }))
    const { data } = (await operate(service, 'GET', `/results?orderId=${order.id}`)).body
    const path = `/results/${(data as { id: string }[])[0]!.id}`
    const masked = await operate(service, 'GET', path)
    expect(masked.body.message.participant).toEqual({ firstName: 'Maria', lastName: 'L.', birthDate: '•••' })
    expect(masked.body.message.original).toContain('PID|1||••••||L.^Maria||••••|••••')
    expect(masked.text).not.toMatch(/Lopez|19900307|1990-03-07|900001/)
    const full = await operate(service, 'GET', `${path}?participants=full`)
    expect(full.body.message).toMatchObject({ messageId: id, participant: { lastName: 'Lopez' } })
    expect(full.body.message.original).toContain('PID|1||900001')
    const redactError = await operate(service, 'GET', `${path}?participants=full`, undefined, DISCREET_OPERATOR)
    expect(redactError.body.message).toMatchObject({ messageId: id, result: 'negative' })
    const personal = ['original', 'participant', 'PID|', 'Lopez', '19900307', '1990-03-07']
    expect(personal.filter((text) => redactError.text.includes(text))).toEqual([])
    const audited = await operate(service, 'GET', `/audit?subjectId=${full.body.id}`)
    expect(audited.body.data.map(({ action }: { action: string }) => action)).toEqual([
      'result.read',
      'result.reveal',
      'result.read',
    ])
  })
})

describe('a repeated HL7 message', () => {
  test('a repeat gets the first answer byte for byte, and changes nothing', async () => {
    const order = await created(service)
    for (const message of [oru({ code: order.code }), oru({ code: 'ZZZZ-ZZZZ' })]) {
      const first = await post(service, message)
      const before = await read(order.id)
      const second = await post(service, message)
      expect([second.status, second.text]).toEqual([first.status, first.text])
      expect(await read(order.id)).toEqual(before)
    }
  })

  test('a repeat with another time in its header gets the first answer', async () => {
    const message = oru({ code: 'ZZZZ-ZZZZ' })
    const first = await post(service, message)
    expect((await post(service, message.replace('20260302150405', '20260303000000'))).text).toBe(first.text)
  })

  test('concurrent repeats all get the first answer', async () => {
    const order = await created(service)
    const message = oru({ code: order.code })
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(service, message)))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('a different message with a used id is refused, not lost', async () => {
    const id = controlId()
    await post(service, oru({ id, code: 'ZZZZ-ZZZZ' }))
    const other = await post(service, oru({ id, code: 'YYYY-YYYY' }))
    expect(toldBy(other)).toMatch(/^400 AE MSH-10: This control id was already used/)
    const asJson = messageAbout({ code: 'ZZZZ-ZZZZ' })
    await report(service, { ...asJson, sender: { kind: 'lab', id: 'HEARTLAND' } })
    expect(toldBy(await post(service, oru({ id: asJson.messageId, code: 'ZZZZ-ZZZZ' })))).toMatch(/^400 AE MSH-10/)
  })
})

describe('an ACK', () => {
  test('an ACK is addressed to the sender, with the id and time of the stored report', async () => {
    const id = controlId()
    const ack = await post(service, oru({ id, code: 'ZZZZ-ZZZZ' }))
    const [row] = await service.pool`select id, received_at from result_reports where message_id = ${id}`
    expect(ack.msh.slice(2, 7)).toEqual([String.raw`^~\&`, 'OTS', 'NORTH', 'LIS', 'HEARTLAND'])
    expect(ack.msh[7]).toBe(`${(row!['receivedAt'] as Date).toISOString().replaceAll(/[-:TZ]/g, '')}+0000`)
    expect(ack.msh.slice(9)).toEqual(['ACK^R01^ACK', row!['id'], 'P', '2.5.1', '', '', '', '', '', 'UNICODE UTF-8'])
  })

  test('an ACK escapes what it quotes', async () => {
    const message = oru({ id: String.raw`A\F\B\T\C`, status: 'Q' }).replace('|LIS|', String.raw`|L\S\S|`)
    const ack = await post(service, message)
    expect(ack.msa[2]).toBe(String.raw`A\F\B\T\C`)
    expect(ack.msh[5]).toBe(String.raw`L\S\S`)
  })

  test('the ACK of a refusal has every reason', async () => {
    const wrong = oru({ status: 'Q' }).replace('19900307', '19901307')
    const ack = await post(service, wrong)
    expect(ack.err.map((fields) => fields[2])).toEqual(['OBR^1^25', 'PID^1^7'])
    expect(ack.msa[1]).toBe('AE')
    const again = await post(service, wrong)
    expect(again.msh[10]).toBe(ack.msh[10])
  })

  test.each([
    ['', '100 The message does not begin with an MSH segment.'],
    ['{"messageId": "1"}', '100 The message does not begin with an MSH segment.'],
    ['PID|1\rMSH|^~\\&|A', '100 The message does not begin with an MSH segment.'],
    ['MSH|^~\\&', '101 MSH-10: the control id is missing.'],
    ['MSH|^^\\&|A|B', '102 MSH-2 must name four or five different delimiters.'],
    ['MSH|^~|A|B', '102 MSH-2 must name four or five different delimiters.'],
    [`${header('1')}\rPID|1\rno segment`, '100 Line 3 is not a segment. Write line breaks in texts as \\E\\.br\\E\\.'],
    [header('1', 'ADT^A01'), '200 MSH-9: only ORU\\S\\R01 is accepted.'],
    [header('1', 'ORU^R30'), '201 MSH-9: only ORU\\S\\R01 is accepted.'],
    [header('1').replace('2.5.1', '3.0'), '203 MSH-12: only versions 2.x are accepted.'],
    [`${header('1')}\r${header('2')}`, '100 The message contains a second header. Send one message at a time.'],
    [`${header('1')}\r${NEGATIVE}`, '100 Segment OBX comes before the first OBR.'],
    [`${oru({ id: '1' })}DSC|more`, '100 Continued messages (DSC) are not supported. Send the whole message at once.'],
    [`${header('1')}||||||LATIN-9`, '102 MSH-18: unknown character set LATIN-9.'],
  ])('%j is answered AR', async (message, reason) => {
    const { status, msa, err } = await post(service, message)
    expect([status, msa[1]]).toEqual([400, 'AR'])
    expect(`${err[0]![3]!.split('^')[0]} ${err[0]![8]}`).toBe(reason)
  })

  test('messages for training (MSH-11 T) and debugging (D) are answered AR only in production', async () => {
    const production = await startService({ policy: { production: true, callbackAllow: [] } })
    await production.apply(staffed())
    const sentAs = (id: string) => oru({ code: 'ZZZZ-ZZZZ' }).replace('|P|2.5.1', `|${id}|2.5.1`)
    for (const id of ['T', 'D', 't', 'd', 'D^A']) {
      expect([id, toldBy(await post(service, sentAs(id)))]).toEqual([id, '202 AA'])
      expect([id, toldBy(await post(production, sentAs(id)))]).toEqual([
        id,
        '400 AR MSH-11: a production system accepts no messages for training or debugging.',
      ])
    }
    expect(toldBy(await post(production, sentAs('P')))).toBe('202 AA')
    await production.stop()
  })
})

describe('several reports in a message', () => {
  test('reports of a message are applied one by one, and the answer has the worst outcome', async () => {
    const [first, second] = [await created(service), await created(service)]
    const id = controlId()
    const groups = [
      obr({ code: first.code }),
      NEGATIVE,
      spm(),
      obr({ code: second.code, status: 'P' }),
      obr({ code: 'ZZZZ-ZZZZ' }),
    ]
    const ack = await post(service, [header(id), PID, ...groups, NEGATIVE].join('\r'))
    expect([ack.status, ack.msa[3]]).toEqual([202, 'applied, applied, queued: noMatch'])
    expect([await read(first.id), await read(second.id)]).toMatchObject([{ status: 'negative' }, { status: 'pending' }])
    expect((await keptAs(service, `${id}#2`)).original).toBe([header(id), PID, groups[3]].join('\r'))
    expect((await keptAs(service, `${id}#3`)).message.match.orderCode).toBe('ZZZZ-ZZZZ')
  })

  test('no report of a message is applied if one is malformed', async () => {
    const order = await created(service)
    const id = controlId()
    const groups = [obr({ code: order.code }), NEGATIVE, obr({ code: order.code }), 'OBX|1|ST|THC||see note||||||F']
    expect(toldBy(await post(service, [header(id), PID, ...groups].join('\r')))).toMatch(/^400 AE OBX-5: "see note"/)
    expect(await keptAs(service, id)).toBeUndefined()
    expect(await read(order.id)).toMatchObject({ status: 'ordered' })
  })

  test('reports of a message are refused one by one, and a repeat applies none twice', async () => {
    const [plain, dot] = [await created(service), await created(service, { package: { id: 'dot' }, ...FRA })]
    const id = controlId()
    const reports = [obr({ code: plain.code }), NEGATIVE, spm(), obr({ code: dot.code }), NEGATIVE]
    const message = [header(id), PID, ...reports].join('\r')
    for (const ack of [await post(service, message), await post(service, message)])
      expect(toldBy(ack)).toMatch(/^400 AE/)
    expect(await read(plain.id)).toMatchObject({ status: 'negative' })
    const rows = await service.pool`
      select state, why from result_reports where message_id like ${`${id}%`} order by state`
    expect(rows).toMatchObject([
      { state: 'applied', why: null },
      { state: 'queued', why: 'reviewNeeded' },
    ])
  })

  test('reports of a message do not collide with the ids of other messages', async () => {
    const id = controlId()
    const twice = [header(id), PID, obr({ code: 'ZZZZ-ZZZZ' }), NEGATIVE, obr({ code: 'ZZZZ-ZZZZ' }), NEGATIVE]
    await post(service, twice.join('\r'))
    expect(toldBy(await post(service, oru({ id: `${id}#2`, code: 'ZZZZ-ZZZZ' })))).toBe('202 AA')
    expect(await keptAs(service, `${id}#2#1`)).toBeDefined()
  })

  test('reports belong to the last patient before them', async () => {
    const id = controlId()
    const other = PID.replace('Lopez^Maria', 'Reed^Dana')
    const groups = [PID, obr({ code: 'ZZZZ-ZZZZ' }), NEGATIVE, other, obr({ code: 'ZZZZ-ZZZZ' }), NEGATIVE]
    await post(service, [header(id), ...groups].join('\r'))
    expect((await keptAs(service, id)).message.participant.lastName).toBe('Lopez')
    expect(await keptAs(service, `${id}#2`)).toMatchObject({
      message: { participant: { lastName: 'Reed' } },
      original: [header(id), other, groups[1], NEGATIVE].join('\r'),
    })
  })
})

describe('POST /results with HL7', () => {
  test('both media types are accepted in any case, with a character set', async () => {
    const types = [
      'x-application/hl7-v2+er7',
      'Application/HL7-V2; charset=utf-8',
      'application/hl7-v2;charset="UTF-8"',
    ]
    for (const type of types) expect((await post(service, oru({ code: 'ZZZZ-ZZZZ' }), { type })).status).toBe(202)
    const message = Buffer.from(oru({ code: 'ZZZZ-ZZZZ', id: 'latin' }).replace('Lopez', 'López'), 'latin1')
    expect((await post(service, message, { type: 'application/hl7-v2; charset=iso-8859-1' })).status).toBe(202)
    expect((await keptAs(service, 'latin')).message.participant.lastName).toBe('López')
  })

  test('errors outside the message are answered in JSON', async () => {
    const outside = [
      await post(service, oru(), { secret: null }),
      await post(service, oru(), { secret: SECRET }),
      await post(service, 'x'.repeat(15 * MIB + 1)),
      await post(service, oru(), { type: 'text/plain' }),
    ]
    expect(outside.map(({ status }) => status)).toEqual([401, 401, 413, 415])
    expect(outside.map(({ text }) => (JSON.parse(text) as { errors: { detail: string }[] }).errors[0]!.detail)).toEqual(
      [
        expect.stringContaining('Send a valid API token') as string,
        `This token lacks the scope ${INTAKE_SCOPES.join(' or ')}. Use a token that has it.`,
        'The body is larger than 15 MiB.',
        'Send the body as Content-Type: application/json or application/hl7-v2 or x-application/hl7-v2+er7.',
      ],
    )
  })

  test('no other endpoint accepts HL7', async () => {
    const paths = ['/api/v2/orders', '/api/v2/clinics/search']
    for (const path of paths) {
      const headers = { 'content-type': 'application/hl7-v2' }
      const answer = await service.call(SECRET, { method: 'POST', path, body: oru(), headers })
      expect(answer).toMatchObject({
        status: 415,
        body: { errors: [{ detail: 'Send the body as Content-Type: application/json.' }] },
      })
    }
    const { status, body } = await service.call(SECRET, {
      method: 'POST',
      path: paths[1]!,
      body: 'x'.repeat(256 * 1024 + 1),
    })
    expect([status, body.errors[0].detail]).toEqual([413, 'The body is larger than 256 KiB.'])
  })

  test('up to 10 MB of documents are accepted in JSON and HL7', async () => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * MIB - 10, 'x')])
    const id = controlId()
    const lines = (content: string) => [NEGATIVE, `OBX|2|ED|PDF^Report||LIS^Application^PDF^Base64^${content}||||||F`]
    expect(toldBy(await post(service, oru({ id, code: 'ZZZZ-ZZZZ', lines: lines(pdf.toString('base64')) })))).toBe(
      '202 AA',
    )
    const [row] = await service.pool`select d.id, d.size from documents d join result_reports r
      on r.id = d.result_id where r.message_id = ${id}`
    expect(row).toMatchObject({ size: 10 * MIB - 1 })
    const document = { name: 'Report', contentType: 'application/pdf', content: pdf.toString('base64') }
    expect((await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }, { documents: [document] }))).status).toBe(202)
    const more = Buffer.concat([pdf, Buffer.of(0, 0)]).toString('base64')
    expect(toldBy(await post(service, oru({ code: 'ZZZZ-ZZZZ', lines: lines(more) })))).toMatch(/^400 AE OBX-5:/)
  })

  test('unknown parameters are refused in JSON', async () => {
    const headers = { authorization: `Bearer ${LAB}`, 'content-type': 'application/hl7-v2' }
    const answer = await fetch(`${service.origin}/api/operator/v1/results?a=1`, {
      method: 'POST',
      headers,
      body: oru(),
    })
    expect(answer.status).toBe(400)
    expect(readAck(await answer.text()).msa).toEqual([])
  })
})
