import type { Unapplied } from '../../domain/results/apply.ts'
import type { ResultRow } from '../../store/results/results.ts'
import type { Context } from '../operation.ts'
import { newRow, rowOf } from './rows.ts'
import { ResultRefusal } from './take.ts'

/**
 * Keeps it for an operator, once however often it comes. It does not take up its message id: the sender may well send
 * it again under the same id when it has been put right.
 */
export function queueUnapplied(unapplied: Unapplied, context: Context): Promise<ResultRow> {
  const { message, original, why, problems, refusal } = unapplied
  const about = refusal instanceof ResultRefusal ? refusal.about : {}
  const [messageId, ...earlier] = idsOf(unapplied, context)
  const row = newRow(
    {
      message: message ?? { messageId: unapplied.controlId, sender: senderOf(unapplied) },
      original,
      problems: problems.map(({ pointer, detail }) => `${pointer === undefined ? '' : `${pointer}: `}${detail}`),
      context,
    },
    { ...about, why, messageId: messageId! },
  )
  return context.store.transaction(async (tx) => {
    const [known] = (await tx.results.known([row, ...earlier.map((id) => ({ ...row, messageId: id }))])).values()
    if (known) return known
    const isKept = await tx.results.keep([row])
    // Another process was quicker.
    if (!isKept) return (await tx.results.known([row])).get(0)!
    await tx.results.keepDocuments([row])
    return rowOf(row)
  })
}

const senderOf = ({ sender: { kind, id } }: Unapplied) => ({ kind, id: storable(id) })

/**
 * The id of the message with a keyed hash of what it says: all but its header, which may bear another time of sending. Under each
 * key, since the current one may be newer than the message on file; the first is the current one's.
 */
function idsOf({ controlId, sender, original }: Unapplied, { caller, store }: Context): string[] {
  const body = original.slice(original.indexOf('\r'))
  const fingerprints = store.results.fingerprints(caller.tenantId, JSON.stringify([sender.id, body]))
  return fingerprints.map((fingerprint) => `${storable(controlId)}~${fingerprint}`)
}

/** Nothing was checked of what was not understood. */
const storable = (text: string) => text.slice(0, 200).replaceAll(/[\u0000\uD800-\uDFFF]/gu, '\uFFFD')
