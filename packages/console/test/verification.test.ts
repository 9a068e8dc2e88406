import { expect, test } from 'vitest'
import type { AuditVerification } from '@order-testing/client/operator'
import { verifyAll } from '../src/pages/audit/verification.ts'

const part = (members: Partial<AuditVerification>): AuditVerification => ({
  object: 'auditVerification',
  links: 0,
  entries: 0,
  head: null,
  faults: [],
  next: null,
  ...members,
})
const FAULT = { kind: 'altered', seq: 1, entryId: 'aud_1', detail: 'Entry aud_1 was altered.' }

/** Reads the given parts, and notes what was asked for. */
function parts(...given: AuditVerification[]) {
  const asked: (string | undefined)[] = []
  const read = (after: string | undefined) => {
    asked.push(after)
    return Promise.resolve(given.at(asked.length - 1)!)
  }
  return { asked, read }
}

test('a verification puts all parts together and keeps the head of the last link', async () => {
  const head = { seq: 3, hash: 'abc' }
  const { asked, read } = parts(
    part({ links: 2, head: { seq: 2, hash: 'ab' }, next: 'link:2', faults: [FAULT] }),
    part({ links: 1, head, next: 'entry:' }),
    part({ entries: 3 }),
  )
  const verified = await verifyAll(read, { signal: new AbortController().signal, onProgress: () => undefined })
  expect(asked).toEqual([undefined, 'link:2', 'entry:'])
  expect(verified).toEqual({ links: 3, steps: 6, head, faults: [FAULT], isWhole: true })
})

test('a verification that was stopped says that it is not whole', async () => {
  const stopping = new AbortController()
  const { asked, read } = parts(part({ links: 2, next: 'link:2' }), part({}))
  const verified = await verifyAll(read, { signal: stopping.signal, onProgress: () => stopping.abort() })
  expect([asked.length, verified.isWhole]).toEqual([1, false])
})

test('a verification ends at very many faults', async () => {
  const many = part({ faults: Array.from({ length: 300 }, () => FAULT), next: 'link:1' })
  const { asked, read } = parts(many, many, many)
  await verifyAll(read, { signal: new AbortController().signal, onProgress: () => undefined })
  expect(asked).toHaveLength(2)
})
