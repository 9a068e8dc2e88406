import { parsePartly, type Problem } from '@order-testing/contract'
import { OrderPlacement } from '@order-testing/contract/operator'
import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { auditEntry } from '../audit/audit.ts'
import type { Context, RawOperation } from '../operation.ts'
import { create, type Submission } from './create.ts'

/** Places an order by the rules for integrators, at any location of the tenant. */
export const operatorCreateOrder: RawOperation<typeof contract.operatorCreateOrder> = async (input, context) => {
  const { placement, body } = split(input.body)
  const { value, partial, problems } = parsePartly(OrderPlacement, placement)
  const { caller, problems: unknown } = await narrowToCompany(partial.company?.id, context)
  const faults = [...input.faults, ...problems, ...unknown]
  // A malformed source is among the faults, so that the default is never used for it.
  const source = value?.source ?? 'import'
  const submission: Submission = { version: 'v2', source, sent: input.body, record: recordIn(context) }
  return create({ ...input, body, faults }, { ...context, caller }, submission)
}

/** Separates the members that only operators send from those of the order. */
function split(sent: unknown): { placement: object; body: unknown } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return { placement: {}, body: sent }
  const names = Object.keys(OrderPlacement.shape)
  const [placement, body] = [true, false].map((isPlacement) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name) === isPlacement)),
  )
  return { placement: placement!, body }
}

/** Limits the caller to the named company, so that locations of others are not found. */
async function narrowToCompany(id: string | undefined, { caller, store }: Context) {
  if (id === undefined) return { caller, problems: [] }
  const company = await store.companies.findVisible(caller, id)
  if (company) return { caller: { ...caller, companyIds: [company.id] }, problems: [] }
  const detail = 'Unknown or inactive company. List them with GET /api/operator/v1/catalog.'
  const problem: Problem = { code: 'invalidValue', detail, pointer: '/company' }
  return { caller, problems: [problem] }
}

/** Records in the audit log who placed an order, or who saw the participant of an order on file. */
const recordIn =
  (context: Context): NonNullable<Submission['record']> =>
  async ({ id, source, status }, outcome, tx) => {
    const subject = { type: 'order', id }
    const isCreated = outcome === 'created'
    if (!isCreated && !canReadParticipant(context.caller)) return
    const entry = isCreated ? { action: 'order.create', after: { source, status } } : { action: 'order.read' }
    await tx.audit.append([auditEntry({ ...entry, subject }, context)])
  }
