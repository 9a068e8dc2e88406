import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { INTAKE_SCOPES } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { Refusal } from '../../domain/refusal.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import { refuseMessage } from '../../intake/hl7-door.ts'
import { NotTaken } from '../../intake/not-taken.ts'
import { takeHl7 } from '../../threads/take-hl7.ts'
import { jobOf, MOST_IN_LOOP } from '../../threads/thread-jobs.ts'
import { requireScope } from '../scopes.ts'
import { redactError } from '../errors.ts'
import type { Bearer, Hl7Watch } from './refused-hl7.ts'
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
  { authenticate, rateLimit: _, admission: __, bodies: ___, answers: ____, threads, ...work }: RouteContext,
  { watch, log }: { watch: Hl7Watch; log: FastifyBaseLogger },
): void {
  /** Of a token that may not be used any more, too: its operators want to know what it still sends. */
  const bearerOf = (secret: string): Bearer => {
    const hash = hashSecret(secret)
    return {
      key: hash.toString('base64'),
      owner: () => work.store.tokens.ownerOf(hash).catch(() => undefined),
    }
  }

  const refuse = async (bytes: Buffer, secret: string, refused: { detail: string; address: string | null }) => {
    const answer = refuseMessage(bytes, new NotTaken(207, refused.detail), work.now())
    await watch.note(answer, { door: 'mllp', address: refused.address, bytes }, bearerOf(secret))
    return answer.bytes
  }

  const fail = (bytes: Buffer, error: unknown) => {
    log.error({ err: redactError(error as FastifyError) }, 'Failed to take a message over MLLP')
    watch.count('mllp', 'failed')
    const detail = 'Something went wrong on our side. Send the message again later.'
    return refuseMessage(bytes, new NotTaken(207, detail), work.now()).bytes
  }

  const callerWith = async (secret: string) => {
    const caller = await authenticate(`Bearer ${secret}`)
    requireScope(caller, INTAKE_SCOPES)
    return caller
  }

  app.decorate('answerHl7', async (bytes: Buffer, secret: string, address: string | null = null) => {
    let caller: Caller
    try {
      caller = await callerWith(secret)
    } catch (error) {
      if (!(error instanceof Refusal)) return fail(bytes, error)
      log.warn('The token of OTS_MLLP_TOKEN may not be used any more: refusing messages over MLLP')
      return refuse(bytes, secret, { detail: 'This line is closed.', address })
    }
    try {
      const answer =
        bytes.length > MOST_IN_LOOP
          ? await threads.results(jobOf('takeHl7', { caller, ...work }, bytes))
          : await takeHl7({ bytes, charset: undefined }, { caller, ...work })
      await watch.note(answer, { door: 'mllp', address, bytes }, bearerOf(secret))
      return Buffer.from(answer.bytes)
    } catch (error) {
      // What is wrong with a message is in its answer; only one that cannot be worked on at all is refused here.
      return error instanceof Refusal ? refuse(bytes, secret, { detail: error.message, address }) : fail(bytes, error)
    }
  })

  app.decorate(
    'refuseHl7',
    (bytes: Buffer, secret: string, { reason, address }: { reason: string; address: string }) => {
      const answer = refuseMessage(Buffer.alloc(0), new NotTaken(102, reason), work.now())
      void watch.note(answer, { door: 'mllp', address, bytes }, bearerOf(secret))
      return answer.bytes
    },
  )
}
