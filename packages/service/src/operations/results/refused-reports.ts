import type * as contract from '@order-testing/contract/operator'
import { makeId } from '../../domain/ids.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { maskRefused } from '../../domain/results/masked-hl7.ts'
import type { NewRefusedMessage, RefusedMessageRow } from '../../store/results/refused-reports.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

/** Records a refused HL7 message for operators. */
export async function recordRefused(
  refused: Omit<NewRefusedMessage, 'tenantId' | 'tokenId' | 'id' | 'at'>,
  { tenantId, tokenId }: Pick<Context['caller'], 'tenantId' | 'tokenId'>,
  { store, now, random }: Pick<Context, 'store' | 'now' | 'random'>,
): Promise<void> {
  const at = now()
  const { reason, sender, controlId } = refused
  const texts = { reason: storable(reason), sender: storable(sender), controlId: storable(controlId) }
  const id = makeId('rfm', at, random.bytes)
  await store.refusedMessages.record({ ...refused, ...texts, tenantId, tokenId, id, at })
}

export const listRefusedMessages: Operation<typeof contract.listRefusedMessages> = async (
  { query },
  { caller, store },
) => ok(collectionOf(await store.refusedMessages.page(caller.tenantId, query), query, present))

/** The text may name a person, so reading it is recorded in the audit log, and reading persons in full as such. */
export const readRefusedMessage: Operation<typeof contract.readRefusedMessage> = ({ params, query }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const row = orNotFound(await tx.refusedMessages.read(caller.tenantId, params.id))
    if (!caller.scopes.has('operator.participants.read')) return ok(present(row))
    const persons = query.participants === 'full'
    const action = persons ? 'refusedMessage.reveal' : 'refusedMessage.read'
    await tx.audit.append([auditEntry({ action, subject: { type: 'refusedMessage', id: row.id } }, context)])
    return ok({ ...present(row), text: maskRefused(row.bytes.toString('utf8'), { persons }) })
  })

const present = (row: RefusedMessageRow): contract.RefusedMessage => ({
  id: row.id,
  object: 'refusedMessage',
  door: row.door,
  code: row.code,
  reason: row.reason,
  sender: row.sender,
  controlId: row.controlId,
  tokenId: row.tokenId,
  address: row.address,
  size: row.size,
  count: row.count,
  firstAt: row.firstAt.toISOString(),
  lastAt: row.lastAt.toISOString(),
  url: `/api/operator/v1/refusedMessages/${row.id}`,
})

/** Refused messages were not validated. */
const storable = (text: string) => text.slice(0, 255).replaceAll(/[\u0000\uD800-\uDFFF]/gu, '\uFFFD')
