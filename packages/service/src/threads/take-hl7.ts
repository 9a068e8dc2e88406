import { answerMessage } from '../intake/hl7-intake.ts'
import type { Context } from '../operations/operation.ts'
import { takeReport } from '../operations/results/take.ts'
import { queueUnapplied } from '../operations/results/unapplied.ts'
import type { ThreadAnswer } from './job.ts'

export const HL7_TYPES = ['application/hl7-v2', 'x-application/hl7-v2+er7'] as const

/** Processes an HL7 message and answers with its ACK. */
export async function takeHl7(
  { bytes, charset }: { bytes: Buffer; charset: string | undefined },
  context: Context,
): Promise<ThreadAnswer> {
  const { caller, store, policy, now } = context
  const answer = await answerMessage(
    { bytes, charset },
    {
      caller,
      now,
      production: policy.production,
      take: (report, at) => takeReport(report, { ...context, now: () => at }),
      queue: (unapplied, at) => queueUnapplied(unapplied, { ...context, now: () => at }),
      original: async ({ tenantId, id }) => (await store.results.read(tenantId, id))?.content.original,
    },
  )
  return { ...answer, type: HL7_TYPES[0] }
}
