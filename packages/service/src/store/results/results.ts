import { createHash } from 'node:crypto'
import type { QueueReason, ResultMessage, ResultState } from '@order-testing/contract/operator'
import type { SenderKind } from '@order-testing/contract'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { violatedConstraint } from '../db/errors.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** A stored report without its content. */
export interface ResultRow {
  tenantId: string
  id: string
  senderKind: SenderKind
  senderId: string
  messageId: string
  tokenId: string
  state: ResultState
  why: QueueReason | null
  event: string
  orderId: string | null
  serviceId: string | null
  occurredAt: Date
  receivedAt: Date
  settledAt: Date | null
  settledBy: string | null
}

/** The content of a report, sealed as JSON under these names, and its text if that was HL7. */
export interface ResultContent {
  /** Only id and sender if the report was not understood. */
  message: ResultMessage | Pick<ResultMessage, 'messageId' | 'sender'>
  original?: string | undefined
  /** Why it could not be applied. */
  problems?: string[] | undefined
}

/** A stored report, and whether its content has this hash. */
export type KnownResult = ResultRow & { isOf: (contentHash: Buffer) => boolean }

export interface NewResult {
  row: ResultRow
  contentHash: Buffer
  content: ResultContent
  documents: { id: string; name: string; contentType: string; bytes: Buffer }[]
}

/** A document and the report that it came with. */
export type OrderDocumentRow = DocumentRow &
  Pick<ResultRow, 'serviceId' | 'senderKind' | 'senderId' | 'event' | 'receivedAt'>

export interface DocumentRow {
  id: string
  name: string
  contentType: string
  size: number
}

export type FullResultRow = ResultRow & { content: ResultContent }

type ResultFilter = PageRequest & Filter<'orderId' | 'senderId'> & Filter<'state', ResultState>

/** Message ids are unique per token. */
export type ReportKey = Pick<ResultRow, 'tenantId' | 'tokenId' | 'messageId'>

/** Another process stored the same report at the same time. */
export class ReportTaken extends Error {}

const COLUMNS = sql`
  tenant_id, id, sender_kind, sender_id, message_id, token_id, state, why, event, order_id, service_id, occurred_at, received_at,
  settled_at, settled_by`

/** Result reports of laboratories, reviewers and collection sites. */
export const results = (db: Db, keyring: Keyring) => ({
  /** Keyed hashes that find a stored text again: under the current key, then under earlier ones. */
  fingerprints(tenantId: string, text: string): string[] {
    const digest = `${tenantId} ${createHash('sha256').update(text).digest('hex')}`
    const hashes = new Set([keyring.hash(digest), ...keyring.hashes(digest)])
    return [...hashes].map((hash) => hash.toString(16).padStart(16, '0'))
  },

  /** Finds which of these reports are stored, by their position. */
  async known(keys: ReportKey[]): Promise<Map<number, KnownResult>> {
    // Earlier builds stored a hash without a key.
    type HashColumns = { contentCode: Buffer | null; contentHash: Buffer | null }
    const rows = await db<(ResultRow & HashColumns & { place: number })[]>`
      select place::int, content_code, content_hash, ${COLUMNS}
      from ${givenRows(keys, { text: ['tenantId', 'tokenId', 'messageId'] })}
      join result_reports using (tenant_id, token_id, message_id)`
    return new Map(
      rows.map(({ place, contentCode, contentHash, ...row }) => {
        const isOf = (hash: Buffer) =>
          contentCode ? keyring.isCodeOf(contentCode, hash, resultContext(row)) : hash.equals(contentHash!)
        return [place - 1, { ...row, isOf }]
      }),
    )
  },

  /** Stores reports in one statement. Fails with `ReportTaken` if another process stored one of them at the same time. */
  async keep(added: NewResult[]): Promise<void> {
    if (added.length === 0) return
    // Not spread and extended, which takes longer (see `newResult`).
    const sealed = added.map(({ row, contentHash, content }) =>
      Object.assign(
        {
          contentCode: keyring.code(contentHash, resultContext(row)),
          content: sealResult(keyring, row, content, contentHash),
        },
        row,
      ),
    )
    const columns = sql`
      tenant_id, id, sender_kind, sender_id, message_id, token_id, state, why, event, order_id, service_id, occurred_at,
      received_at, content_code, content`
    try {
      await db`
        insert into result_reports (${columns})
        select ${columns} from ${givenRows(sealed, {
          text: [
            'tenantId',
            'id',
            'senderKind',
            'senderId',
            'messageId',
            'tokenId',
            'state',
            'why',
            'event',
            'orderId',
            'serviceId',
          ],
          timestamptz: ['occurredAt', 'receivedAt'],
          bytea: ['contentCode', 'content'],
        })}`
    } catch (error) {
      if (violatedConstraint(error) === 'result_reports_by_token') throw new ReportTaken()
      throw error
    }
  },

  /** One at a time: each may be several megabytes. */
  async keepDocuments(added: NewResult[]): Promise<void> {
    const all = added.flatMap(({ row, documents }) => documents.map((document) => ({ row, ...document })))
    for (const { row, id, name, contentType, bytes } of all) {
      const content = keyring.seal(bytes, documentContext({ tenantId: row.tenantId, id }))
      await db`
        insert into documents (tenant_id, id, result_id, sealed_name, content_type, size, created_at, content)
        values (${row.tenantId}, ${id}, ${row.id}, ${keyring.seal(name, documentNameContext({ tenantId: row.tenantId, id }))},
          ${contentType}, ${bytes.length}, ${row.receivedAt}, ${content})`
    }
  },

  page: (tenantId: string, { state, orderId, senderId, ...page }: ResultFilter): Promise<Page<ResultRow>> =>
    pageOf<ResultRow>(db, page, {
      from: sql`from result_reports where tenant_id = ${tenantId}
        ${andEqual({ state, orderId, senderId })}`,
      order: sql`id desc`,
      pick: COLUMNS,
    }),

  /** The lock keeps two operators from settling the same report. */
  async read(tenantId: string, id: string, { lock = false } = {}): Promise<FullResultRow | undefined> {
    const row = await db.first<ResultRow & { content: Buffer }>`
      select ${COLUMNS}, content from result_reports
      where tenant_id = ${tenantId} and id = ${id} ${lock ? sql`for update` : sql``}`
    return row && openResult(keyring, row)
  },

  /** Several reports with their content, by id. */
  async readAll(tenantId: string, ids: string[]): Promise<ReadonlyMap<string, FullResultRow>> {
    if (ids.length === 0) return new Map()
    const rows = await db<(ResultRow & { content: Buffer })[]>`
      select ${COLUMNS}, content from result_reports where tenant_id = ${tenantId} and id = any(${ids}::text[])`
    return new Map(rows.map((row) => [row.id, openResult(keyring, row)]))
  },

  /** Reports that wait for an operator, in all tenants. */
  async countQueued(): Promise<number> {
    const { n } = await db.only<{ n: number }>`
      select coalesce(sum(queued.n), 0)::int as n from tenants,
        lateral (select count(*) as n from result_reports where tenant_id = tenants.id and state = 'queued') queued`
    return n
  },

  async settle({ tenantId, id, state, orderId, serviceId, settledAt, settledBy }: ResultRow): Promise<void> {
    await db`
      update result_reports set state = ${state}, order_id = ${orderId}, service_id = ${serviceId},
        settled_at = ${settledAt}, settled_by = ${settledBy}
      where tenant_id = ${tenantId} and id = ${id}`
  },

  /** Takes reports out of the queue that waited for the medical reviewer of these services. */
  async settleReviewed(reviewed: { tenantId: string; orderId: string; serviceId: string; at: Date }[]): Promise<void> {
    if (reviewed.length === 0) return
    await db`
      update result_reports r set state = 'dismissed', settled_at = given.at
      from ${givenRows(reviewed, { text: ['tenantId', 'orderId', 'serviceId'], timestamptz: ['at'] })}
      where r.tenant_id = given.tenant_id and r.order_id = given.order_id and r.service_id = given.service_id
        and r.state = 'queued' and r.why = 'reviewNeeded'`
  },

  ofOrder: (tenantId: string, orderId: string, most: number) => db<ResultRow[]>`
    select ${COLUMNS} from result_reports where tenant_id = ${tenantId} and order_id = ${orderId}
    order by id desc limit ${most}`,

  async documentsOf(tenantId: string, resultId: string): Promise<DocumentRow[]> {
    const rows = await db<StoredDocument[]>`
      select id, sealed_name, name, content_type, size from documents
      where tenant_id = ${tenantId} and result_id = ${resultId} order by id`
    return rows.map((row) => openName(keyring, tenantId, row))
  },

  /** The documents that came with the reports of an order, newest first. */
  async documentsOfOrder(tenantId: string, orderId: string): Promise<OrderDocumentRow[]> {
    const rows = await db<(StoredDocument & Omit<OrderDocumentRow, keyof DocumentRow>)[]>`
      select d.id, d.sealed_name, d.name, d.content_type, d.size, r.service_id, r.sender_kind, r.sender_id, r.event, r.received_at
      from result_reports r join documents d on d.tenant_id = r.tenant_id and d.result_id = r.id
      where r.tenant_id = ${tenantId} and r.order_id = ${orderId} order by d.id desc limit 200`
    return rows.map((row) => openName(keyring, tenantId, row))
  },

  async document(
    tenantId: string,
    id: string,
  ): Promise<(DocumentRow & { bytes: Buffer; resultId: string }) | undefined> {
    const row = await db.first<StoredDocument & { resultId: string; content: Buffer }>`
      select id, sealed_name, name, content_type, size, result_id, content from documents
      where tenant_id = ${tenantId} and id = ${id}`
    if (!row) return undefined
    const { content, ...document } = row
    const bytes = keyring.openBytes(content, documentContext({ tenantId, id }))
    return { ...openName(keyring, tenantId, document), bytes }
  },
})

/** Includes the hash, from which key rotation makes a new code. */
export const sealResult = (keyring: Keyring, key: ResultKey, content: ResultContent, contentHash: Buffer): Buffer =>
  keyring.seal(JSON.stringify({ ...content, contentHash: contentHash.toString('hex') }), resultContext(key))

const openResult = (keyring: Keyring, row: ResultRow & { content: Buffer }): FullResultRow => ({
  ...row,
  content: JSON.parse(keyring.open(row.content, resultContext(row))) as ResultContent,
})

/** Names are sealed because they often contain the person's name. */
type StoredDocument = Omit<DocumentRow, 'name'> & { sealedName: Buffer | null; name: string | null }

function openName<Row extends StoredDocument>(keyring: Keyring, tenantId: string, row: Row) {
  const { sealedName, ...document } = row
  const name = sealedName ? keyring.open(sealedName, documentNameContext({ tenantId, id: row.id })) : row.name!
  return { ...document, name }
}

type ResultKey = Pick<ResultRow, 'tenantId' | 'id'>

export const documentNameContext = ({ tenantId, id }: ResultKey) => `document name ${tenantId} ${id}`

export const resultContext = ({ tenantId, id }: ResultKey) => `result ${tenantId} ${id}`

export const documentContext = ({ tenantId, id }: ResultKey) => `document ${tenantId} ${id}`
