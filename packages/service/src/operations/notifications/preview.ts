import type * as contract from '@order-testing/contract/operator'
import { isStillRelevant } from '../../domain/notifications/plan.ts'
import type { Order } from '../../domain/orders/order.ts'
import { orNotFound } from '../../domain/refusal.ts'
import type { NotificationRow } from '../../store/notifications/notifications.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Operation } from '../operation.ts'

type Compose = (
  notification: NotificationRow,
  order: Order,
  context: { store: Transaction; now: Date },
) => Promise<{ subject: string | null; text: string } | undefined>

/** Composes a notification again from the order as it is now. It may name the participant, so the read is recorded. */
export const previewMessage =
  (compose: Compose): Operation<typeof contract.previewMessage> =>
  ({ params }, context) =>
    context.store.transaction(async (tx) => {
      const { tenantId } = context.caller
      const now = context.now()
      const row = orNotFound(await tx.notifications.read(tenantId, params.id))
      const order = await tx.orders.find(tenantId, row.orderId)
      const composed =
        order && isStillRelevant(row, order, now) ? await compose(row, order, { store: tx, now }) : undefined
      const subject = { type: 'message', id: row.id }
      await tx.audit.append([auditEntry({ action: 'message.preview', subject }, context)])
      return ok({
        object: 'messagePreview',
        messageId: row.id,
        channel: row.channel,
        isRelevant: composed !== undefined,
        subject: composed?.subject ?? null,
        text: composed?.text ?? null,
      })
    })
