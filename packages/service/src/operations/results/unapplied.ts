import type { UnappliedReport } from '../../domain/results/apply.ts'
import type { ResultRow } from '../../store/results/results.ts'
import type { Context } from '../operation.ts'
import { newResult } from './rows.ts'
import { ResultRefusal, retryTaken } from './take.ts'

/**
 * Queues a report for an operator, once however often it comes. It does not use up its message id: the sender may send a
 * corrected report under the same id.
 */
export function queueUnapplied(unapplied: UnappliedReport, context: Context): Promise<ResultRow> {
  const { report, original, why, problems, refusal } = unapplied
  const about = refusal instanceof ResultRefusal ? refusal.about : {}
  const [messageId, ...earlier] = composeIds(unapplied, context)
  const added = newResult(
    {
      report: report ?? { messageId: unapplied.controlId, sender: senderOf(unapplied) },
      original,
      problems: problems.map(({ pointer, detail }) => `${pointer === undefined ? '' : `${pointer}: `}${detail}`),
      context,
    },
    { ...about, why, messageId: messageId! },
  )
  const { row } = added
  return retryTaken(() =>
    context.store.transaction(async (tx) => {
      const [known] = (await tx.results.known([row, ...earlier.map((id) => ({ ...row, messageId: id }))])).values()
      if (known) return known
      await tx.results.keep([added])
      await tx.results.keepDocuments([added])
      return row
    }),
  )
}

const senderOf = ({ sender: { kind, id } }: UnappliedReport) => ({ kind, id: storable(id) })

/**
 * The control id with a keyed hash of the text, without the header, whose time of sending may differ in a repeat. One id for
 * each key, the current key first: an earlier key may have been in use when the report was stored.
 */
function composeIds({ controlId, sender, original }: UnappliedReport, { caller, store }: Context): string[] {
  const body = original.slice(original.indexOf('\r'))
  const fingerprints = store.results.fingerprints(caller.tenantId, JSON.stringify([sender.id, body]))
  return fingerprints.map((fingerprint) => `${storable(controlId)}~${fingerprint}`)
}

/** Text that was not understood was not validated either. */
const storable = (text: string) => text.slice(0, 200).replaceAll(/[\u0000\uD800-\uDFFF]/gu, '\uFFFD')
