import type { FastifyBaseLogger, FastifyError } from 'fastify'
import { INTAKE_SCOPES } from '@order-testing/contract'
import { Refusal } from '../domain/refusal.ts'
import { answerHl7, refuseHl7 } from '../intake/hl7-door.ts'
import { NotTaken } from '../intake/not-taken.ts'
import type { Context } from '../operations/operation.ts'
import { takeResult } from '../operations/take-results.ts'
import { requireScope } from './authentication.ts'
import { discreet } from './errors.ts'
import type { RouteContext } from './routes.ts'
import { jobOf, SMALL_BYTES, type ThreadAnswer } from './thread-jobs.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers a message of a line with this token. */
    answerHl7(bytes: Buffer, secret: string): Promise<Buffer>
  }
}

export const HL7_TYPES = ['application/hl7-v2', 'x-application/hl7-v2+er7'] as const

/** Takes a message and answers with its ACK. */
export async function takeHl7(
  { bytes, charset }: { bytes: Buffer; charset: string | undefined },
  context: Context,
): Promise<ThreadAnswer> {
  const { caller, store, policy, now } = context
  const answer = await answerHl7(
    { bytes, charset },
    {
      caller,
      now,
      production: policy.production,
      take: (report, at) => takeResult(report, { ...context, now: () => at }),
      original: async ({ tenantId, id }) => (await store.results.read(tenantId, id))?.content.original,
    },
  )
  return { ...answer, type: HL7_TYPES[0] }
}

/**
 * Takes messages from a line that has a token and no requests: the token is looked at anew for every message. Whatever
 * goes wrong, the sender is told to send the message again.
 */
export function hl7Line(
  { authenticate, rateLimit: _, answers: __, threads, ...work }: RouteContext,
  log: FastifyBaseLogger,
): (bytes: Buffer, secret: string) => Promise<Buffer> {
  return async (bytes, secret) => {
    try {
      const caller = await authenticate(`Bearer ${secret}`)
      requireScope(caller, INTAKE_SCOPES)
      const answer =
        bytes.length > SMALL_BYTES
          ? await threads.results(jobOf('takeHl7', { caller, ...work }, bytes))
          : await takeHl7({ bytes, charset: undefined }, { caller, ...work })
      return Buffer.from(answer.bytes)
    } catch (error) {
      const isClosed = error instanceof Refusal
      if (isClosed) log.warn('messages over MLLP are refused: the token of OTS_MLLP_TOKEN may not be used any more')
      else log.error({ err: discreet(error as FastifyError) }, 'message over MLLP failed')
      const detail = isClosed
        ? 'This line is closed.'
        : 'Something went wrong on our side. Send the message again later.'
      return refuseHl7(bytes, new NotTaken(207, detail), work.now())
    }
  }
}
