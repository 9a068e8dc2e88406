import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { ots } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const [OLD, NEW] = [
  { id: 'old', secret: 'the secret of the old key' },
  { id: 'new', secret: 'the secret of the new key' },
]

describe('keys that the database was sealed with', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await storeWith(OLD).keyChecks.note()
  })
  afterAll(() => database.drop())

  const storeWith = (...keys: (typeof OLD)[]) => createStore(database.pool, new Keyring(keys))

  test('are known to be right, alone or behind a newer one', async () => {
    expect(await storeWith(OLD).keyChecks.wrong()).toEqual([])
    expect(await storeWith(NEW, OLD).keyChecks.wrong()).toEqual([])
  })

  test('are missed where they are not set, or have another secret', async () => {
    expect(await storeWith(NEW).keyChecks.wrong()).toEqual(['old'])
    expect(await storeWith({ ...OLD, secret: 'something else entirely' }).keyChecks.wrong()).toEqual(['old'])
  })

  test('keep a production service from starting without them', async () => {
    const env = {
      OTS_MODE: 'production',
      DATABASE_URL: urlOf(database.target),
      OTS_KEYS: `${NEW.id}:${NEW.secret}`,
      PORT: '0',
    }
    const { code, stderr } = await ots(['serve'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/sealed with key "old": missing from OTS_KEYS/)])
  })

  test('keep even a sandbox from starting with another secret under the same id', async () => {
    const env = { DATABASE_URL: urlOf(database.target), OTS_KEYS: `${OLD.id}:something else entirely`, PORT: '0' }
    const { code, stderr } = await ots(['serve'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Key "old" of OTS_KEYS has another secret')])
  })

  test('are not needed any more once everything is under another', async () => {
    await rotateKeys(storeWith(NEW, OLD))
    expect(await storeWith(NEW).keyChecks.wrong()).toEqual([])
  })
})
