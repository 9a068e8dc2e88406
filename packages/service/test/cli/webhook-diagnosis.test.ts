import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { signV1, signV2 } from '@order-testing/contract'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'

const EVENT = { object: 'event', id: 'evt_1', type: 'order.updated', createdAt: '2026-03-02T15:05:37.120Z' }
const BODY = JSON.stringify({
  ...EVENT,
  data: { object: 'order', id: 'ord_1', code: 'K7M4-2QXD', url: '/api/v2/orders/ord_1' },
})
const NOW = new Date('2026-03-02T15:05:40Z')

let folder: string
beforeAll(async () => {
  folder = await newFolder()
})
removeFoldersAfterAll()

/** What the command says of a delivery. */
async function diagnose(given: { body?: string; header?: string; secret?: string; at?: string }) {
  const {
    body = BODY,
    header = `X-Signature: ${signV2({ body: BODY, secret: 'key', now: NOW })}`,
    secret = 'key',
  } = given
  const file = join(folder, 'body.json')
  await writeFile(file, body)
  const at = given.at ?? NOW.toISOString()
  return ots(['doctor', 'webhook', file, '--header', header, '--secret', secret, '--at', at])
}

test('ots doctor webhook recognises a genuine delivery', async () => {
  const { code, stdout } = await diagnose({})
  expect([code, stdout]).toEqual([0, 'Genuine: a v2 delivery of evt_1, signed at 2026-03-02T15:05:40.000Z.\n'])
  expect((await diagnose({ header: signV2({ body: BODY, secret: 'key', now: NOW }) })).code).toBe(0)
})

test.each([
  ['a body that was written again', { body: JSON.stringify(JSON.parse(BODY), null, 2) }, 'bodyChanged'],
  ['another secret', { secret: 'other' }, 'wrongSecret'],
  ['a blank after the secret', { secret: 'key ' }, 'wrongSecret'],
  ['a clock that is wrong', { at: '2026-03-02T16:05:40Z' }, 'clockSkew'],
  ['a v1 signature of a v2 body', { header: signV1({ body: BODY, secret: 'key' }) }, 'versionMismatch'],
  ['no signature', { header: 'X-Other: 1' }, 'missingSignature'],
])('ots doctor webhook names the fault: %s', async (_what, given, reason) => {
  const { code, stdout } = await diagnose(given)
  expect([code, stdout]).toEqual([1, expect.stringContaining(`Not genuine (${reason}): `)])
})
