import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { BATCH, behind, inBatches, placeOf, renewed, type Key, type Valued } from '../sealing/pass.ts'
import { refusedContext } from './refused-reports.ts'
import { documentContext, documentNameContext, resultContext, sealResult, type ResultContent } from './results.ts'

/** Few at a time: each may contain the text of a long message. */
const RESULTS = 20

type ResultValue = Valued<Key> & { contentHash: Buffer | null }

export const renewResults = (db: Db, keyring: Keyring) =>
  inBatches<ResultValue>({
    atOnce: RESULTS,
    placeOf,
    read: (place, onlyPlain) => db<ResultValue[]>`
    select tenant_id, id, content as value, content_hash from result_reports
    ${behind(place, RESULTS, onlyPlain ? sql`content_hash is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, value, contentHash } = row
      if (contentHash === null && !keyring.isStale(value)) return 0
      const opened = JSON.parse(keyring.open(value, resultContext(row))) as ResultContent & { contentHash?: string }
      const { contentHash: kept, ...content } = opened
      const hash = contentHash ?? Buffer.from(kept!, 'hex')
      return db.count`
      update result_reports set content = ${sealResult(keyring, row, content, hash)},
        content_code = ${keyring.code(hash, resultContext(row))}, content_hash = null
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })

export const renewRefusedMessages = (db: Db, keyring: Keyring) =>
  inBatches<Valued<Key>>({
    atOnce: BATCH,
    placeOf,
    read: async (place, onlyPlain) =>
      onlyPlain
        ? []
        : db<Valued<Key>[]>`
        select tenant_id, id, content as value from refused_reports ${behind(place, BATCH)}`,
    renew(row) {
      const { tenantId, id, value } = row
      const sealed = renewed(keyring, value, refusedContext(row))
      if (!sealed) return 0
      return db.count`
      update refused_reports set content = ${sealed}
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })

type DocumentValue = Valued<Key> & { sealedName: Buffer | null; name: string | null }

export const renewDocuments = (db: Db, keyring: Keyring) =>
  inBatches<DocumentValue>({
    // Each may be several megabytes.
    atOnce: 1,
    placeOf,
    read: (place, onlyPlain) => db<DocumentValue[]>`
    select tenant_id, id, content as value, sealed_name, name from documents
    ${behind(place, 1, onlyPlain ? sql`name is not null` : undefined)}`,
    renew(row) {
      const { tenantId, id, value, sealedName, name } = row
      const nameContext = documentNameContext(row)
      const content = renewed(keyring, value, documentContext(row))
      const newName = sealedName ? renewed(keyring, sealedName, nameContext) : keyring.seal(name!, nameContext)
      if (!content && !newName) return 0
      return db.count`
      update documents set content = ${content ?? value}, sealed_name = ${newName ?? sealedName}, name = null
      where tenant_id = ${tenantId} and id = ${id} and content = ${value}`
    },
  })
