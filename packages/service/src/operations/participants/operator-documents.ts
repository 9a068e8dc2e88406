import { ENGLISH, findLanguage } from '@order-testing/pages'
import type * as contract from '@order-testing/contract/operator'
import { parseReference } from '../../domain/orders/code.ts'
import type { Order } from '../../domain/orders/order.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { isWithheld, refuseWithheld } from '../../domain/results/withheld.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import type { OrderDocumentRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation } from '../operation.ts'
import { presentCollector } from './collector.ts'
import { viewingSession } from './operator-views.ts'
import { presentPass } from './pass.ts'

/** The id of the pass among the documents of an order. */
const PASS = 'pass'

export const listOrderDocuments: Operation<typeof contract.listOrderDocuments> = ({ params }, context) =>
  context.store.snapshot(async (tx) => {
    const order = orNotFound(await tx.orders.findVisible(context.caller, parseReference(params.id)))
    return ok({ object: 'orderDocuments', data: await documentsOf(order, tx, context) })
  })

export const readOrderDocument: Operation<typeof contract.readOrderDocument> = async ({ params }, context) => {
  const { caller, store } = context
  const read = await store.transaction(async (tx) => {
    const order = orNotFound(await tx.orders.findVisible(caller, parseReference(params.id)))
    const documents = await documentsOf(order, tx, context)
    const document = orNotFound(documents.find(({ id }) => id === params.documentId))
    if (document.hiddenFor !== null) throw refuseWithheld()
    const { id, kind } = document
    const subject = kind === 'pass' ? { type: 'order', id: order.id } : { type: 'document', id }
    const after = { orderId: order.id, kind }
    await tx.audit.append([auditEntry({ action: 'document.read', subject, after }, context)])
    return { document, open: await contentOf(document, order, tx, context) }
  })
  // A PDF is made after the transaction, which would stay open for as long.
  return { status: 200, bytes: await read.open(), type: read.document.contentType }
}

/** Newest first. */
async function documentsOf(order: Order, tx: Transaction, context: Context): Promise<contract.OrderDocument[]> {
  const { tenantId } = context.caller
  const [reported, agreements, { stage }] = [
    await tx.results.documentsOfOrder(tenantId, order.id),
    await tx.agreements.ofOrder(tenantId, order.id),
    await viewingSession(order, tenantId, { tx, context }),
  ]
  const found = [
    ...reported.map((row) => presentReported(row, order)),
    ...agreements.map((row) => ({ ...NOTHING, ...presentAgreement(row) })),
    ...(stage === 'pass' ? [{ ...NOTHING, ...presentPaper(order) }] : []),
  ]
  return found
    .map((each) => ({
      ...each,
      object: 'orderDocument' as const,
      url: `/api/operator/v1/orders/${order.id}/documents/${each.id}`,
    }))
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
}

type Described = Omit<contract.OrderDocument, 'object' | 'url'>

const NOTHING = { from: null, hiddenFor: null } as const

function presentReported(row: OrderDocumentRow, order: Order): Described {
  return {
    id: row.id,
    kind: row.event === 'result' ? 'result' : 'collection',
    name: row.name,
    contentType: row.contentType,
    from: row.senderId,
    at: row.receivedAt.toISOString(),
    hiddenFor: isWithheld(row, order) ? 'review' : null,
  }
}

const presentAgreement = ({ id, kind, version, agreedAt }: AgreementRow) =>
  ({
    id,
    kind: 'agreement',
    name: `${kind}-${version}.txt`,
    contentType: 'text/plain; charset=utf-8',
    at: agreedAt.toISOString(),
  }) as const

const presentPaper = ({ code, statusUpdatedAt }: Order) =>
  ({
    id: PASS,
    kind: 'pass',
    name: `pass-${code}.pdf`,
    contentType: 'application/pdf',
    at: statusUpdatedAt.toISOString(),
  }) as const

async function contentOf(
  { id, kind }: contract.OrderDocument,
  order: Order,
  tx: Transaction,
  context: Context,
): Promise<() => Promise<Buffer>> {
  const { tenantId } = context.caller
  if (kind === 'pass') {
    const session = await viewingSession(order, tenantId, { tx, context })
    const [view, collector] = [await presentPass(session), await presentCollector(session)]
    return async () => {
      // Loaded on first use, as it is for participants.
      const { passPdf } = await import('@order-testing/pages/pass-pdf')
      return passPdf(view, findLanguage(order.language) ?? ENGLISH, context.now(), collector)
    }
  }
  if (kind === 'agreement') {
    const agreement = orNotFound((await tx.agreements.ofOrder(tenantId, order.id)).find((each) => each.id === id))
    return async () => Buffer.from(textOf(agreement))
  }
  const { bytes } = orNotFound(await tx.results.document(tenantId, id))
  return async () => bytes
}

const textOf = ({ kind, version, language, text, textHash, agreedAt, signature }: AgreementRow) =>
  [
    `${kind} ${version} (${language})`,
    `Agreed at ${agreedAt.toISOString()}${signature ? `, signed "${signature.name}" on ${signature.date}` : ''}.`,
    `SHA-256 of the text, base64url: ${textHash}`,
    '',
    text,
    '',
  ].join('\n')
