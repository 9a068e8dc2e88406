import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { otsProcess } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

const [OLD, NEW] = [
  { id: 'old', secret: 'the secret of the old key' },
  { id: 'new', secret: 'the secret of the new key' },
]

describe('key checks', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await storeWith(OLD).keyChecks.note()
  })
  afterAll(() => database.drop())

  const storeWith = (...keys: (typeof OLD)[]) => createStore(database.pool, new Keyring(keys))

  test('the keys of the database are accepted, alone or after a newer one', async () => {
    expect(await storeWith(OLD).keyChecks.wrong()).toEqual([])
    expect(await storeWith(NEW, OLD).keyChecks.wrong()).toEqual([])
  })

  test('a key that is not set, or has another secret, is reported as wrong', async () => {
    expect(await storeWith(NEW).keyChecks.wrong()).toEqual(['old'])
    expect(await storeWith({ ...OLD, secret: 'something else entirely' }).keyChecks.wrong()).toEqual(['old'])
  })

  test('a production service does not start without the keys of its database', async () => {
    const env = {
      OTS_MODE: 'production',
      DATABASE_URL: urlOf(database.target),
      OTS_KEYS: `${NEW.id}:${NEW.secret}`,
      PORT: '0',
    }
    const { code, stderr } = await otsProcess(['serve'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/sealed with key "old": missing from OTS_KEYS/)])
  })

  test('even a sandbox does not start with another secret under the same id', async () => {
    const env = { DATABASE_URL: urlOf(database.target), OTS_KEYS: `${OLD.id}:something else entirely`, PORT: '0' }
    const { code, stderr } = await otsProcess(['serve'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining('Key "old" of OTS_KEYS has another secret')])
  })

  test('a key is no longer needed once everything is under another one', async () => {
    await rotateKeys(storeWith(NEW, OLD))
    expect(await storeWith(NEW).keyChecks.wrong()).toEqual([])
  })
})
