import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { created } from '../orders/given.ts'
import { staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { header, NEGATIVE, obr, oru, PID, post, type Acked } from './given.ts'

/** Few enough for every build. A failure prints its seed. */
const RUNS = { numRuns: 100 }

let service: TestService
let code: string
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
  code = (await created(service)).code
})
afterAll(() => service.stop())

const kept = async () => Number((await service.pool`select count(*)::int as n from result_reports`)[0]!['n'])

/** Violations: every answer must be an ACK, nothing is lost, and a repeat gets the same answer. */
async function faultsOf(message: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const before = await kept()
  const first = await answerTo(message)
  const after = await kept()
  const second = await answerTo(message)
  const isAccepted = first.msa[1] === 'AA'
  const told = ({ status, msa, err, text }: Acked) => JSON.stringify([status, msa, err, isAccepted && text])
  const faults = {
    'an answer that is no ACK':
      !(isAccepted ? [200, 202] : [400]).includes(first.status) || !/^A[AER]$/.test(first.msa[1]!),
    'accepted and lost': isAccepted && !(await isOnFile(first)),
    'rejected and kept': first.msa[1] === 'AR' && after !== before,
    [`another answer to a repeat: ${told(second)} after ${told(first)}`]: told(first) !== told(second),
    'a repeat that is kept': (await kept()) !== after,
  }
  return Object.entries(faults).flatMap(([fault, isSo]) => (isSo ? [fault] : []))
}

/** A service that cannot answer now asks to try again, as laboratories do. */
async function answerTo(message: Uint8Array<ArrayBuffer>): Promise<Acked> {
  for (;;) {
    const answer = await post(service, message)
    if (answer.status !== 503) return answer
  }
}

async function isOnFile({ status, msh }: Acked): Promise<boolean> {
  const [row] = await service.pool`select state from result_reports where id = ${msh[10]!}`
  return (status === 200 ? ['applied'] : ['applied', 'queued']).includes(row?.['state'] as string)
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text))

test('any bytes are answered with an ACK', async () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => bytes(text)),
    fc.uint8Array({ maxLength: 300 }).map((rest) => Uint8Array.from([...bytes(`${header('noise')}\r`), ...rest])),
  )
  await fc.assert(
    fc.asyncProperty(noise, async (message) => {
      expect(await faultsOf(Uint8Array.from(message))).toEqual([])
    }),
    RUNS,
  )
})

/** Valid and invalid parts of messages. */
const PIECES = String.raw`| ^ ~ \ & # "" \X00\ \XD800\ MSH| OBR| OBX|1|ST|A||POSITIVE 🙂 -1 2999`.split(' ')
const BREAKS = ['\r', '\n', '\u0000', '\uFFFF', '\u000B', '\u001C', '\rNTE|1||a', '\rSPM|1|x', '\rORC|RE|', '\rOBR|']
const pieces = fc.constantFrom(...PIECES, ...BREAKS, '9'.repeat(300))

test('a damaged message is applied, queued or refused, and never lost', async () => {
  const damage = fc.array(
    fc.record({ at: fc.nat(2_000), cut: fc.nat(12), put: fc.oneof(pieces, fc.string({ maxLength: 5 })) }),
    { minLength: 1, maxLength: 4 },
  )
  let ids = 0
  await fc.assert(
    fc.asyncProperty(damage, fc.boolean(), async (changes, isKnown) => {
      const id = `fuzz-${(ids += 1)}`
      const lines = [
        NEGATIVE,
        'OBX|2|NM|THC^THC^LN||12|ng/mL|50|NEG|||F',
        'SPM|1|CCF-1^ACC|||||||||||||||20260301|20260302',
      ]
      const good = oru({ id, code: isKnown ? code : 'ZZZZ-ZZZZ', status: isKnown ? 'P' : 'F', lines })
      const damaged = changes.reduce((text, { at, cut, put }) => {
        const place = at % text.length
        return text.slice(0, place) + put + text.slice(place + cut)
      }, good)
      expect(await faultsOf(bytes(damaged))).toEqual([])
    }),
    RUNS,
  )
})

test('a message with segments in any order is answered with an ACK', async () => {
  const segments = [
    'PID|1',
    PID,
    'ORC|RE|ZZZZ-ZZZZ',
    obr({ code: 'ZZZZ-ZZZZ' }),
    obr({ status: 'I' }),
    NEGATIVE,
    'NTE|1||a',
    'SPM|1|S',
  ]
  let ids = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...segments), { maxLength: 12 }), async (lines) => {
      expect(await faultsOf(bytes([header(`order-${(ids += 1)}`), ...lines].join('\r')))).toEqual([])
    }),
    RUNS,
  )
})
