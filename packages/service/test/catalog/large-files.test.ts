import { describe, expect, test } from 'vitest'
import { changeCatalogs } from '../../src/cli/run/catalog-files.ts'
import { CatalogRefusal } from '../../src/operations/catalog/files.ts'
import { catalogFile, freshDatabase, TEST_KEY } from '../support/service.ts'

const CLINICS = 15_000

/** The catalog files of a command with its own database. */
async function withFiles<T>(
  work: (change: (kind: 'apply' | 'diff', ...files: object[]) => ReturnType<typeof changeCatalogs>) => Promise<T>,
): Promise<T> {
  const database = await freshDatabase()
  const forThreads = { target: database.target, keys: () => [TEST_KEY] }
  try {
    return await work((kind, ...files) => {
      const read = files.map((file, i) => ({ name: `file ${i + 1}`, bytes: Buffer.from(JSON.stringify(file)) }))
      return changeCatalogs(kind, read, { mode: 'sandbox' }, { store: database.store, forThreads })
    })
  } finally {
    await database.drop()
  }
}

const large = (members: object = {}) =>
  catalogFile('acme', {
    clinics: Array.from({ length: CLINICS }, (_, i) => ({
      id: `clinic-${i}`,
      name: `Clinic ${i} of the large file`,
      services: ['urine'],
      ...members,
    })),
  })

describe('catalog files of more than a megabyte', { timeout: 120_000 }, () => {
  test('large files are compared and applied like small ones', async () => {
    await withFiles(async (change) => {
      expect(JSON.stringify(large()).length).toBeGreaterThan(1024 ** 2)
      const [compared] = await change('diff', large())
      const [applied] = await change('apply', large())
      expect(applied).toEqual(compared)
      expect(applied!.changes.filter(({ kind }) => kind === 'clinics')).toHaveLength(CLINICS)
      expect((await change('diff', large()))[0]!.changes).toEqual([])
    })
  })

  test('an invalid large file is refused with all its problems, of which the message names twenty', async () => {
    await withFiles(async (change) => {
      const refusal = await change('apply', catalogFile('globex'), large({ services: ['none'] })).catch(
        (error: unknown) => error,
      )
      expect(refusal).toBeInstanceOf(CatalogRefusal)
      const { problems, message } = refusal as CatalogRefusal
      expect(problems).toHaveLength(CLINICS)
      expect(problems[0]).toMatchObject({ source: 'file 2', pointer: '/clinics/0/services/0' })
      expect(message.split('\n')).toHaveLength(21)
      expect(message).toMatch(/\nand 14,980 more$/)
    })
  })
})
