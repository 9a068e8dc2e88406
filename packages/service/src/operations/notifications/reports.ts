import type * as contract from '@order-testing/contract/operator'
import { ENGLISH, findLanguage } from '@order-testing/pages'
import { addressesOf, normaliseAddress } from '../../domain/notifications/addresses.ts'
import { isForClinic, type Channel } from '../../domain/notifications/plan.ts'
import { redact } from '../../domain/notifications/redact.ts'
import { makeId } from '../../domain/ids.ts'
import { brandFrom } from '../../domain/participants/brand.ts'
import { withDelivery } from '../../domain/participants/form.ts'
import { notFound, refuse } from '../../domain/refusal.ts'
import type { NotificationRow } from '../../store/notifications/notifications.ts'
import type { SuppressionReason } from '../../store/notifications/suppressions.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation } from '../operation.ts'
import { readKeyword } from './keywords.ts'
import { composeReply } from './replies.ts'

/** Takes what somebody replied to a text message. Each number gets one answer that there will be no more. */
export const receiveText: Operation<typeof contract.receiveText> = ({ body }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const { action, language } = readKeyword(body.text)
    const address = normaliseAddress('mobile', body.from) ?? body.from
    const place = { tenantId, channel: 'mobile' } as const
    const sent = await tx.sentNotifications.latestTo(tenantId, 'mobile', address)
    const order = sent && (await tx.orders.find(tenantId, sent.orderId))
    const row = await tx.brands.find(tenantId, order?.company.id ?? '', [])
    const brand = brandFrom(order?.company ?? { name: row?.tenant ?? '' }, row)
    const answer = (which: Parameters<typeof composeReply>[0] | null) =>
      ok<contract.TextReply>({
        object: 'textReply',
        action,
        reply: which && composeReply(which, brand, language ?? findLanguage(order?.language) ?? ENGLISH),
      })
    if (action === 'stop') {
      const isNew = await suppress({ address, channel: 'mobile', reason: 'optOut', notification: sent }, tx, context)
      return answer(isNew ? 'stopped' : null)
    }
    if (action === 'help') return answer('help')
    if (action === 'start') {
      const lifted = await tx.suppressions.lift(place, address, 'optOut')
      if (lifted) await record('suppression.lift', lifted.id, { reason: 'optOut' }, tx, context)
      return answer((await tx.suppressions.has(place, address)) ? null : 'started')
    }
    return answer((await tx.suppressions.has(place, address)) ? null : 'unread')
  })

/** Takes what a provider reports about a message after it was sent. */
export const reportBounce: Operation<typeof contract.reportBounce> = ({ body }, context) =>
  context.store.transaction(async (tx) => {
    const { tenantId } = context.caller
    const { type, reason = null, occurredAt } = body
    const named = readMailId(body.notificationId ?? body.messageId)
    if (!named && body.address === undefined)
      throw refuse('required', 'Give messageId, notificationId or address.', '/messageId')
    const row = named
      ? await tx.notifications.read(tenantId, named.id)
      : await findByAddress(body.address!, tx, tenantId)
    if (!row && body.address === undefined) throw notFound()
    const address = body.address ?? (row && !named?.isCopy ? await addressOf(row, tx) : undefined)
    const channel: Channel = row?.channel ?? (address?.includes('@') ? 'email' : 'mobile')
    const isOwn = row && !named?.isCopy && (!address || (await tx.sentNotifications.wasSentTo(row, address)))
    const at = occurredAt === undefined ? context.now() : new Date(occurredAt)
    const isRecorded = isOwn
      ? await tx.sentNotifications.bounce(tenantId, row.id, { type, at, reason: reason && redact(reason) })
      : false
    const isSuppressed = type !== 'soft' && address !== undefined
    const suppressedFor = type === 'complaint' ? 'complaint' : 'hardBounce'
    if (isSuppressed) await suppress({ address, channel, reason: suppressedFor, notification: row }, tx, context)
    if (isRecorded) {
      const subject = { type: 'message', id: row!.id }
      const states = { before: { state: row!.state }, after: { state: 'bounced', type } }
      await tx.audit.append([auditEntry({ action: 'message.bounce', subject, ...states }, context)])
    }
    return ok({ object: 'bounceReceipt', messageId: row?.id ?? null, isRecorded, isSuppressed })
  })

/** Copies have the number of the copy behind the id of their notification. */
function readMailId(given: string | undefined): { id: string; isCopy: boolean } | undefined {
  const [, id, copy] = /^<?([^<>@.\s]+)(\.\d+)?(?:@[^<>]*)?>?$/.exec(given?.trim() ?? '') ?? []
  return id === undefined ? undefined : { id, isCopy: copy !== undefined }
}

const findByAddress = (address: string, tx: Transaction, tenantId: string) =>
  tx.sentNotifications.latestTo(tenantId, address.includes('@') ? 'email' : 'mobile', address)

/** The address that a notification was sent to, if its order still has it. */
async function addressOf(row: NotificationRow, tx: Transaction): Promise<string | undefined> {
  const order = await tx.orders.find(row.tenantId, row.orderId)
  if (!order || isForClinic(row.kind)) return undefined
  const to = row.kind === 'authorizationCopy' ? withDelivery(order).email : addressesOf(row.kind, order).to
  if (to === null) return undefined
  return (await tx.sentNotifications.wasSentTo(row, to)) ? to : undefined
}

interface Suppressed {
  address: string
  channel: Channel
  reason: SuppressionReason
  notification: NotificationRow | undefined
}

/** Puts an address on the suppression list; false if it was there already. */
async function suppress(
  { address, channel, reason, notification }: Suppressed,
  tx: Transaction,
  context: Context,
): Promise<boolean> {
  const { tenantId } = context.caller
  const createdAt = context.now()
  const id = makeId('sup', createdAt, context.random.bytes)
  const notificationId = notification?.id ?? null
  const spelled = normaliseAddress(channel, address) ?? address
  const row = { tenantId, id, channel, reason, notificationId, address: spelled, createdAt }
  const isNew = await tx.suppressions.add(row)
  if (isNew) await record('suppression.add', id, { channel, reason, messageId: notificationId }, tx, context)
  return isNew
}

/** The address itself is not part of the audit log. */
const record = (action: string, id: string, after: object, tx: Transaction, context: Context): Promise<unknown> =>
  tx.audit.append([auditEntry({ action, subject: { type: 'suppression', id }, after }, context)])
