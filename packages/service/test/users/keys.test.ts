import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { catalogFile, startService, TEST_KEY, type TestService } from '../support/service.ts'
import { addedUser, signedIn } from './given.ts'

const NEW = { id: 'fresh', secret: 'the key that comes after it' }

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(catalogFile('north'))
})
afterAll(() => service.stop())

test('people and their sessions are found with an older key, and with the new one alone after a rotation', async () => {
  const oidc = { issuer: 'https://login.example', subject: '0042' }
  const user = { ...(await addedUser(service, { email: 'Ada@Example.com', name: 'Ada' })), oidc }
  await service.store.users.change(user)
  const { hash } = await signedIn(service, user)
  const storeWith = (...keys: (typeof NEW)[]) => createStore(service.pool, new Keyring(keys))
  const both = storeWith(NEW, TEST_KEY)
  const expectFound = async ({ users, sessions }: typeof both) => {
    expect(await users.findByEmail('north', 'ada@example.com')).toMatchObject({ id: user.id, name: 'Ada' })
    expect(await users.findBySubject(oidc)).toMatchObject({ id: user.id })
    expect(await users.namesOf('north', [user.id])).toEqual(new Map([[user.id, 'Ada']]))
    expect(await sessions.findUsable(hash)).toMatchObject({ userId: user.id, name: 'Ada' })
    expect(await sessions.listOf('north', user.id)).toMatchObject([{ userAgent: 'Test' }])
  }
  await expectFound(both)
  expect(await rotateKeys(both)).toMatchObject({ users: 1, sessions: 1 })
  await expectFound(storeWith(NEW))
})

test('nothing that names a person is in the tables in plain text', async () => {
  const user = await addedUser(service, { email: 'zora.plain@example.com', name: 'Zora Plaintext' })
  await signedIn(service, user, { userAgent: 'Readable browser' })
  const rows = await service.pool<{ row: string }[]>`
    select users::text as row from users union all select user_sessions::text from user_sessions`
  const text = rows.map(({ row }) => row).join('\n')
  const hex = (plain: string) => Buffer.from(plain).toString('hex')
  for (const plain of ['zora', 'Zora', 'Plaintext', 'Readable', '127.0.0.1'])
    expect([text.includes(plain), text.includes(hex(plain))]).toEqual([false, false])
})
