import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { INTAKE_SCOPES } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import { Refusal } from '../../domain/refusal.ts'
import { rejectMessage } from '../../intake/hl7-intake.ts'
import { Hl7Rejection } from '../../intake/hl7-rejection.ts'
import { takeHl7 } from '../../threads/thread-jobs.ts'
import { redactError } from '../errors.ts'
import { requireScope } from '../scopes.ts'
import type { Bearer, Hl7Watch } from './refused-hl7.ts'
import type { RouteContext } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a message that came over MLLP, with the authority of this token. */
    answerHl7(bytes: Buffer, secret: string, address?: string | null): Promise<Buffer>
    /** Answers bytes over MLLP that are not a message. */
    refuseHl7(bytes: Buffer, secret: string, refused: { reason: string; address: string }): Buffer
  }
}

/**
 * Takes messages over MLLP, which has one token and no requests, so the token is checked for every message. If something
 * fails on our side, the answer asks the sender to send the message again.
 */
export function addMllpIntake(
  app: FastifyInstance,
  context: RouteContext,
  { watch, log }: { watch: Hl7Watch; log: FastifyBaseLogger },
): void {
  /** Also finds the owner of a revoked token: operators want to know what it still sends. */
  const bearerWith = (secret: string): Bearer => {
    const hash = hashSecret(secret)
    return { key: hash.toString('base64'), owner: () => context.store.tokens.findOwner(hash).catch(() => undefined) }
  }

  const refuse = async (bytes: Buffer, secret: string, refused: { detail: string; address: string | null }) => {
    const answer = rejectMessage(bytes, new Hl7Rejection(207, refused.detail), context.now())
    await watch.record(answer, { door: 'mllp', address: refused.address, bytes }, bearerWith(secret))
    return answer.bytes
  }

  const fail = (bytes: Buffer, error: unknown) => {
    log.error({ err: redactError(error as FastifyError) }, 'Failed to take an MLLP message')
    watch.count('mllp', 'failed')
    const detail = 'Internal error. Send the message again later.'
    return rejectMessage(bytes, new Hl7Rejection(207, detail), context.now()).bytes
  }

  app.decorate('answerHl7', async (bytes, secret, address = null) => {
    let caller: Caller
    try {
      caller = await context.authenticate(`Bearer ${secret}`)
      requireScope(caller, INTAKE_SCOPES, 401)
    } catch (error) {
      if (!(error instanceof Refusal)) return fail(bytes, error)
      log.warn('Refused an MLLP message: the token of OTS_MLLP_TOKEN is no longer valid')
      return refuse(bytes, secret, { detail: 'This connection is no longer authorized.', address })
    }
    try {
      const answer = await takeHl7({ bytes }, { ...context, caller }, context.threads)
      await watch.record(answer, { door: 'mllp', address, bytes }, bearerWith(secret))
      return Buffer.from(answer.bytes)
    } catch (error) {
      // Problems of a message are in its answer; a refusal here means that it could not be processed at all.
      return error instanceof Refusal ? refuse(bytes, secret, { detail: error.message, address }) : fail(bytes, error)
    }
  })

  app.decorate('refuseHl7', (bytes, secret, { reason, address }) => {
    const answer = rejectMessage(Buffer.alloc(0), new Hl7Rejection(102, reason), context.now())
    void watch.record(answer, { door: 'mllp', address, bytes }, bearerWith(secret))
    return answer.bytes
  })
}
