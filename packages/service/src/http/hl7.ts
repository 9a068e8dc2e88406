import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { Refusal } from '../domain/refusal.ts'
import { hashSecret } from '../domain/tokens.ts'
import { refuseMessage, type Hl7Answer } from '../intake/hl7-door.ts'
import { NotTaken } from '../intake/not-taken.ts'
import { takeHl7 } from '../threads/take-hl7.ts'
import { jobOf, MOST_IN_LOOP } from '../threads/thread-jobs.ts'
import { requireScope } from './authentication.ts'
import { discreet } from './errors.ts'
import type { Hl7Watch } from './refused-hl7.ts'
import type { RouteContext } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a message that came over MLLP, with this token. */
    answerHl7(bytes: Buffer, secret: string, address?: string): Promise<Buffer>
    /** The answer to bytes over MLLP that are no message. */
    refuseHl7(bytes: Buffer, secret: string, refused: { reason: string; address: string }): Buffer
  }
}

/**
 * Takes messages over MLLP, which has one token and no requests: the token is looked at anew for every message. When
 * something goes wrong on our side, the sender is told to send the message again.
 */
export function addHl7Line(
  app: FastifyInstance,
  { authenticate, rateLimit: _, admission: __, answers: ___, threads, ...work }: RouteContext,
  { watch, log }: { watch: Hl7Watch; log: FastifyBaseLogger },
): void {
  /** Of a token that may not be used any more, too: its operators want to know what it still sends. */
  const noteFor = async (secret: string, answer: Hl7Answer, origin: { address: string | null; bytes: Buffer }) => {
    const owner = await work.store.tokens.ownerOf(hashSecret(secret)).catch(() => undefined)
    await watch.note(answer, { door: 'mllp', ...origin }, owner)
  }

  app.decorate('answerHl7', async (bytes: Buffer, secret: string, address: string | null = null) => {
    try {
      const caller = await authenticate(`Bearer ${secret}`)
      requireScope(caller, INTAKE_SCOPES)
      const answer =
        bytes.length > MOST_IN_LOOP
          ? await threads.results(jobOf('takeHl7', { caller, ...work }, bytes))
          : await takeHl7({ bytes, charset: undefined }, { caller, ...work })
      await watch.note(answer, { door: 'mllp', address, bytes }, caller)
      return Buffer.from(answer.bytes)
    } catch (error) {
      if (error instanceof Refusal) {
        log.warn('The token of OTS_MLLP_TOKEN may not be used any more: refusing messages over MLLP')
        const closed = refuseMessage(bytes, new NotTaken(207, 'This line is closed.'), work.now())
        await noteFor(secret, closed, { address, bytes })
        return closed.bytes
      }
      log.error({ err: discreet(error as FastifyError) }, 'Failed to take a message over MLLP')
      watch.count('mllp', 'failed')
      const detail = 'Something went wrong on our side. Send the message again later.'
      return refuseMessage(bytes, new NotTaken(207, detail), work.now()).bytes
    }
  })

  app.decorate('refuseHl7', (bytes: Buffer, secret: string, refused: { reason: string; address: string }) => {
    const answer = refuseMessage(Buffer.alloc(0), new NotTaken(102, refused.reason), work.now())
    void noteFor(secret, answer, { address: refused.address, bytes })
    return answer.bytes
  })
}
