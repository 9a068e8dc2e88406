import type * as contract from '@order-testing/contract/operator'
import type { OrderService } from '../../domain/orders/order.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import { isUnknownCode, labsOfCode } from '../../domain/results/codes.ts'
import { findSpeaker, type Speaker } from '../../domain/results/senders.ts'
import type { KnownCodeRow } from '../../store/catalog/laboratory-codes.ts'
import type { FullResultRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

/** The laboratory's code of a queued HL7 report, if no service is known for it, and who used it. */
export async function findUnknownCode(
  { tenantId, tokenId, state, content: { message, original } }: FullResultRow,
  tx: Transaction,
): Promise<{ code: string; speaker: Speaker } | undefined> {
  // Panels of JSON reports name a service of the catalog.
  const code = 'event' in message && original !== undefined ? message.match.panel : undefined
  if (state !== 'queued' || code === undefined) return undefined
  const token = await tx.tokens.find(tenantId, tokenId)
  const [reading] = await tx.laboratoryCodes.read([{ tenantId, panel: code }])
  const speaker = findSpeaker(message.sender, token?.senders ?? null)
  return isUnknownCode(reading!, speaker) ? { code, speaker } : undefined
}

/** Remembers that the sender of a report means this service by its code. */
export async function learnCode(
  row: FullResultRow,
  service: OrderService,
  context: Context & { tx: Transaction },
): Promise<void> {
  const { tx, now } = context
  const found = await findUnknownCode(row, tx)
  if (!found) throw refuse('invalidState', 'The report has no code that is unknown.', '/rememberCode')
  const { code, speaker } = found
  const { tenantId } = row
  const after = { code, serviceId: service.serviceId, resultId: row.id }
  for (const lab of labsOfCode(speaker, service)) {
    await tx.laboratoryCodes.learn({ tenantId, lab, code, serviceId: service.serviceId, createdAt: now() })
    const subject = { type: 'laboratoryCode', id: lab }
    await tx.audit.append([auditEntry({ action: 'laboratoryCode.learn', subject, after }, context)])
  }
}

export const listLaboratoryCodes: Operation<typeof contract.listLaboratoryCodes> = async (
  { query },
  { caller, store },
) => ok(collectionOf(await store.laboratoryCodes.page(caller.tenantId, query), query, present))

export const rememberLaboratoryCode: Operation<typeof contract.rememberLaboratoryCode> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now } = context
    const { tenantId } = caller
    const known = await tx.laboratoryCodes.lock(tenantId, params)
    if (known?.origin === 'catalog') throw refuse('invalidState', 'This code is from a catalog file. Change it there.')
    const { serviceId } = body
    if (!(await tx.services.findVisible(caller, serviceId)))
      throw refuse('invalidValue', 'Unknown service.', '/serviceId')
    if (known?.serviceId === serviceId) return ok(present(known))
    await tx.laboratoryCodes.forget(tenantId, params)
    await tx.laboratoryCodes.learn({ ...params, tenantId, serviceId, createdAt: now() })
    const { lab, code } = params
    const states = { ...(known && { before: { code, serviceId: known.serviceId } }), after: { code, serviceId } }
    const subject = { type: 'laboratoryCode', id: lab }
    await tx.audit.append([auditEntry({ action: 'laboratoryCode.learn', subject, ...states }, context)])
    return ok(present(orNotFound(await tx.laboratoryCodes.lock(tenantId, params))))
  })

export const forgetLaboratoryCode: Operation<typeof contract.forgetLaboratoryCode> = ({ params }, context) =>
  context.store.transaction(async (tx) => {
    const row = orNotFound(await tx.laboratoryCodes.lock(context.caller.tenantId, params))
    if (row.origin === 'catalog') throw refuse('invalidState', 'This code is from a catalog file. Remove it there.')
    await tx.laboratoryCodes.forget(context.caller.tenantId, row)
    const { lab, code, serviceId } = row
    const subject = { type: 'laboratoryCode', id: lab }
    const before = { code, serviceId }
    await tx.audit.append([auditEntry({ action: 'laboratoryCode.forget', subject, before }, context)])
    return ok(present(row))
  })

const present = ({ lab, code, serviceId, serviceName, origin, createdAt }: KnownCodeRow): contract.KnownCode => ({
  object: 'laboratoryCode',
  lab,
  code,
  service: { id: serviceId, name: serviceName },
  origin,
  createdAt: createdAt.toISOString(),
  url: `/api/operator/v1/laboratoryCodes/${encodeURIComponent(lab)}/${encodeURIComponent(code)}`,
})
