import fastify from 'fastify'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { refuse } from '../../src/domain/refusal.ts'
import { addMllpIntake } from '../../src/http/routes/hl7.ts'
import { Hl7Watch } from '../../src/http/routes/refused-hl7.ts'
import type { RouteContext } from '../../src/http/routes/routes.ts'
import { Unavailable } from '../../src/store/db/errors.ts'
import { oru, readAck } from './given.ts'

/** An MLLP intake whose thread jobs fail like this; nothing else of the service is used. */
function lineThat(fails: () => never) {
  const app = fastify()
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) })
  const caller = { tenantId: 't', tokenId: 'lab', scopes: new Set(['intake.lab']), senders: null } as unknown as Caller
  const context = {
    authenticate: () => caller,
    threads: { results: async () => fails() },
    store: { tokens: { findOwner: async () => undefined } },
    now: () => new Date(),
    policy: { production: false, callbackAllow: [] },
  } as unknown as RouteContext
  const watch = new Hl7Watch({ ...context, log, registry: new Registry() })
  addMllpIntake(app, context, { watch, log })
  return { app, logged }
}

const LARGE = Buffer.from(`${oru()}NTE|1||${'x'.repeat(100_000)}\r`)

test('an MLLP message that is too large to process is refused for its size, not for its token', async () => {
  const { app, logged } = lineThat(() => {
    throw refuse('tooBig', 'The body needs more memory than is available for one request.')
  })
  const { msa, text } = readAck((await app.answerHl7(LARGE, 'secret')).toString())
  expect(msa[1]).toBe('AR')
  expect(text).toContain('The body needs more memory than is available for one request.')
  expect(logged.join('')).not.toContain('no longer valid')
})

test('the answer to an MLLP message whose thread ended asks to send it again', async () => {
  const { app } = lineThat(() => {
    throw new Unavailable('A thread ended.')
  })
  const { msa, text } = readAck((await app.answerHl7(LARGE, 'secret')).toString())
  expect(msa[1]).toBe('AR')
  expect(text).toContain('Send the message again later.')
})
