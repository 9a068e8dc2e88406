import type { FastifyBaseLogger, FastifyError, FastifyInstance } from 'fastify'
import { INTAKE_SCOPES } from '@order-testing/contract'
import type { Caller } from '../../domain/access/caller.ts'
import { hashSecret } from '../../domain/access/tokens.ts'
import { Refusal } from '../../domain/refusal.ts'
import { rejectMessage } from '../../intake/hl7-intake.ts'
import { Hl7Rejection } from '../../intake/hl7-rejection.ts'
import { chooseToken, readSenderNames } from '../../intake/hl7-sender.ts'
import { takeHl7 } from '../../threads/thread-jobs.ts'
import { redactError } from '../errors.ts'
import { requireScope } from '../scopes.ts'
import type { Bearer, Hl7Watch } from './refused-hl7.ts'
import type { RouteContext } from './routes.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a message that came over MLLP, with the authority of the one of these tokens that lists its sender. */
    answerHl7(bytes: Buffer, secrets: string | readonly string[], address?: string | null): Promise<Buffer>
    /** Answers bytes over MLLP that are not a message. */
    refuseHl7(bytes: Buffer, secret: string, refused: { reason: string; address: string }): Buffer
  }
}

/**
 * Takes messages over MLLP, which has tokens of its own and no requests, so they are checked for every message. If something
 * fails on our side, the answer asks the sender to send the message again.
 */
export function addMllpIntake(
  app: FastifyInstance,
  context: RouteContext,
  { watch, log, onUse = () => {} }: { watch: Hl7Watch; log: FastifyBaseLogger; onUse?: (caller: Caller) => void },
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

  /** A token that may send results; undefined if it was revoked, has expired or lacks the scopes. */
  const admit = async (secret: string) => {
    try {
      const caller = await context.authenticate(`Bearer ${secret}`)
      requireScope(caller, INTAKE_SCOPES, 401)
      return { secret, caller, senders: caller.senders }
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }

  const choose = async (bytes: Buffer, secrets: readonly string[]) => {
    const admitted = await Promise.all(secrets.map((secret) => admit(secret)))
    const usable = admitted.filter((each) => each !== undefined)
    return chooseToken(usable, usable.length > 1 ? readSenderNames(bytes) : [])
  }

  app.decorate('answerHl7', async (bytes, given, address = null) => {
    const secrets = typeof given === 'string' ? [given] : given
    let chosen: Awaited<ReturnType<typeof choose>>
    try {
      chosen = await choose(bytes, secrets)
    } catch (error) {
      return fail(bytes, error)
    }
    if (!chosen) {
      log.warn('Refused an MLLP message: no token of OTS_MLLP_TOKEN is valid any more')
      return refuse(bytes, secrets[0]!, { detail: 'This connection is no longer authorized.', address })
    }
    const { caller, secret } = chosen
    onUse(caller)
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
