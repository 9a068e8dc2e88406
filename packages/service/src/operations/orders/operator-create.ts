import { parsePartly, type Problem } from '@order-testing/contract'
import { OrderPlacement } from '@order-testing/contract/operator'
import type * as contract from '@order-testing/contract/operator'
import { entryOf } from '../audit/audit.ts'
import { create, type Door } from './create.ts'
import type { Context, RawOperation } from '../operation.ts'
import { mayReadParticipant } from '../../domain/access/caller.ts'

/** Places an order by the rules of the interface for integrators, at any location of the tenant. */
export const operatorCreateOrder: RawOperation<typeof contract.operatorCreateOrder> = async (input, context) => {
  const { placement, body } = split(input.body)
  const { value, partial, problems } = parsePartly(OrderPlacement, placement)
  const { caller, problem } = await within(partial.company?.id, context)
  const faults = [...input.faults, ...problems, ...(problem ? [problem] : [])]
  // A source that cannot be read is told beside everything else, and so nothing is placed.
  const door: Door = { version: 'v2', source: value?.source ?? 'import', sent: input.body, note: noteIn(context) }
  return create({ ...input, body, faults }, { ...context, caller }, door)
}

/** The members of the body that only operators give, and the rest of it. */
function split(sent: unknown): { placement: object; body: unknown } {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return { placement: {}, body: sent }
  const names = Object.keys(OrderPlacement.shape)
  const [placement, body] = [true, false].map((isPlacement) =>
    Object.fromEntries(Object.entries(sent).filter(([name]) => names.includes(name) === isPlacement)),
  )
  return { placement: placement!, body }
}

/** An operator who sees the company named alone: locations of others are not meant. */
async function within(
  id: string | undefined,
  { caller, store }: Context,
): Promise<{
  caller: Context['caller']
  problem?: Problem
}> {
  if (id === undefined) return { caller }
  const company = await store.companies.findVisible(caller, id)
  if (company) return { caller: { ...caller, companyIds: [company.id] } }
  return {
    caller,
    problem: {
      code: 'invalidValue',
      detail: 'Unknown or inactive company. List them with GET /api/operator/v1/catalog.',
      pointer: '/company',
    },
  }
}

/** Who placed an order is kept in the audit log, and who was shown the participant of an order on file. */
const noteIn =
  (context: Context): NonNullable<Door['note']> =>
  async ({ id, source, status }, outcome, tx) => {
    const subject = { type: 'order', id }
    const isCreated = outcome === 'created'
    if (!isCreated && !mayReadParticipant(context.caller)) return
    const deed = isCreated ? { action: 'order.create', after: { source, status } } : { action: 'order.read' }
    await tx.audit.note([entryOf({ ...deed, subject }, context)])
  }
