import { afterAll, afterEach, beforeAll } from 'vitest'
import type { CatalogFile } from '@order-testing/contract'
import {
  applyCatalogs,
  CatalogRefusal,
  diffCatalogs,
  exportCatalog,
  type TenantChanges,
} from '../../src/operations/catalog/files.ts'
import type { Change } from '../../src/domain/catalog/files.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

/** Creates databases for catalog files, which are dropped after each test. */
export function databases(): () => Promise<Catalogs> {
  const made: TestDatabase[] = []
  afterEach(async () => {
    await Promise.all(made.splice(0).map((database) => database.drop()))
  })
  return async () => {
    const database = await freshDatabase()
    made.push(database)
    return { ...database, ...commandsOn(database) }
  }
}

/** Creates one database for all tests of a file. */
export function oneDatabase(): () => Catalogs {
  let catalogs: Catalogs
  beforeAll(async () => {
    const database = await freshDatabase()
    catalogs = { ...database, ...commandsOn(database) }
  })
  afterAll(() => catalogs.drop())
  return () => catalogs
}

export type Catalogs = TestDatabase & ReturnType<typeof commandsOn>

function commandsOn({ store, pool }: TestDatabase) {
  const sources = (files: object[]) => files.map((content, i) => ({ name: `file ${i + 1}`, content }))
  return {
    apply: async (...files: object[]) => changesOf(await applyCatalogs(sources(files), store, SANDBOX)),
    diff: async (...files: object[]) => changesOf(await diffCatalogs(sources(files), store, SANDBOX)),
    export: async (tenantId: string) => (await exportCatalog(tenantId, store)) as CatalogFile,
    version: () => store.catalog.version(),
    /** Counts the rows of all catalog tables. */
    rows: async (): Promise<number> => {
      const [row] = await pool<{ count: number }[]>`select (
        (select count(*) from tenants) + (select count(*) from services) + (select count(*) from packages)
        + (select count(*) from clinics) + (select count(*) from companies) + (select count(*) from locations)
        + (select count(*) from tokens))::int as count`
      return row?.count ?? 0
    },
  }
}

const SANDBOX = { production: false }

/** Formats changes as `add clinics a` or `change clinics a: name, phone`. */
const changesOf = (applied: TenantChanges[]) => applied.flatMap(({ changes }) => changes.map((change) => line(change)))

const line = ({ action, kind, id, members }: Change) =>
  `${action} ${kind} ${id}${members.length > 0 ? `: ${members.toSorted().join(', ')}` : ''}`

/** Formats the problems of refused files as `code file#/pointer`; empty if they are accepted. */
export async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  try {
    await work
    return []
  } catch (error) {
    if (!(error instanceof CatalogRefusal)) throw error
    return error.problems.map(({ code, source, pointer = '' }) => `${code} ${source}#${pointer}`)
  }
}
