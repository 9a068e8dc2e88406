import { figuresOf } from '../../domain/figures/service-figures.ts'
import { CHANGED_OF_COMPANY, type FigureRow } from '../../store/figures/figures.ts'
import type { Store } from '../../store/store.ts'

/** Small enough that its transaction is short. */
const BATCH = 500

/** Brings the figures of changed orders up to date, in the order of their changes. Returns whether there may be more. */
export function keepFigures(store: Store): Promise<boolean> {
  return store.transaction(async (tx) => {
    if (!(await tx.figures.isTurn())) return false
    const changed = await tx.figures.changed(BATCH)
    if (changed.length === 0) return false
    await tx.figures.put(changed.flatMap(toRows))
    await tx.figures.advance(changed)
    return changed.length >= CHANGED_OF_COMPANY
  })
}

type Changed = Awaited<ReturnType<Store['figures']['changed']>>[number]

const toRows = ({ tenantId, order }: Changed): FigureRow[] =>
  figuresOf(order).map(({ place, lab, ...figures }) => ({
    ...figures,
    tenantId,
    orderId: order.id,
    placeInOrder: place,
    companyId: order.company.id,
    placedAt: order.createdAt,
    orderStatus: order.status,
    testReason: order.testReason,
    labId: lab?.id ?? null,
    labName: lab?.name ?? null,
    clinicId: order.clinic?.id ?? null,
  }))
