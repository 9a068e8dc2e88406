import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKeys } from '../../src/operations/sealing/rotate-keys.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { createStore } from '../../src/store/store.ts'
import { DISCREET_OPERATOR, operate, OPERATOR, staffed } from '../support/operator.ts'
import { startService, TEST_KEY, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const save = async (name: string, members: object = {}, secret = OPERATOR) =>
  (await operate(service, 'POST', '/savedViews', { name, filters: { status: 'pending' }, ...members }, secret)).body
const change = (id: string, body: object, secret = OPERATOR) =>
  operate(service, 'PATCH', `/savedViews/${id}`, body, secret)
const remove = (id: string, secret = OPERATOR) => operate(service, 'DELETE', `/savedViews/${id}`, undefined, secret)
const names = async (secret = OPERATOR) =>
  (await operate(service, 'GET', '/savedViews', undefined, secret)).body.data.map(({ name }: { name: string }) => name)
const entries = async (id: string) =>
  (await operate(service, 'GET', `/audit?subjectId=${id}`)).body.data.map(({ action }: { action: string }) => action)

describe('saved views of orders', () => {
  test('a view keeps its name and filters for who saved it; others see it once it is shared, and cannot change it', async () => {
    const view = await save('At the laboratory', { filters: { status: 'pending', createdWithinDays: 7 } })
    expect(view).toMatchObject({
      object: 'savedView',
      filters: { status: 'pending', createdWithinDays: 7 },
      isShared: false,
      isMine: true,
    })
    expect(await names(DISCREET_OPERATOR)).toEqual([])
    await change(view.id, { isShared: true })
    const [seen] = (await operate(service, 'GET', '/savedViews', undefined, DISCREET_OPERATOR)).body.data
    expect(seen).toMatchObject({ name: 'At the laboratory', isMine: false, owner: { id: 'operator' } })
    expect((await change(view.id, { name: 'Theirs' }, DISCREET_OPERATOR)).status).toBe(404)
    expect((await remove(view.id, DISCREET_OPERATOR)).status).toBe(404)
    expect((await remove(view.id)).status).toBe(200)
    expect(await names()).toEqual([])
    expect(await entries(view.id)).toEqual(['savedView.delete', 'savedView.update', 'savedView.create'])
  })

  test('views keep the order that their owner gives them, before those of others', async () => {
    await save('Shared by another', { isShared: true }, DISCREET_OPERATOR)
    const saved = [await save('First'), await save('Second'), await save('Third')]
    await change(saved[2].id, { position: 1 })
    await change(saved[0].id, { name: 'Last', position: 20 })
    expect(await names()).toEqual(['Third', 'Second', 'Last', 'Shared by another'])
    for (const { id } of saved) await remove(id)
  })

  test('nobody saves more than 20 views, even at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, i) => operate(service, 'POST', '/savedViews', { name: `View ${i}`, filters: {} })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 422 })
    for (const { status, body } of answers) if (status === 201) await remove(body.id)
  })

  test('names and filters are sealed, and stay readable after a rotation of keys', async () => {
    const { id } = await save('Maria Plaintext', { filters: { externalId: 'HR-PLAIN' } })
    const rows = await service.pool<{ row: string }[]>`select saved_views::text as row from saved_views`
    const text = rows.map(({ row }) => row).join('\n')
    for (const plain of ['Plaintext', 'HR-PLAIN']) {
      expect(text).not.toContain(plain)
      expect(text).not.toContain(Buffer.from(plain).toString('hex'))
    }
    const NEW = { id: 'fresh', secret: 'the key that comes after it' }
    const { savedViews } = await rotateKeys(createStore(service.pool, new Keyring([NEW, TEST_KEY])))
    expect(savedViews).toBeGreaterThan(0)
    const store = createStore(service.pool, new Keyring([NEW]))
    const owned = await store.savedViews.lockOwned({ tenantId: 'north', ownerId: 'operator' })
    expect(owned).toMatchObject([{ id, name: 'Maria Plaintext', filters: { externalId: 'HR-PLAIN' } }])
    await rotateKeys(createStore(service.pool, new Keyring([TEST_KEY, NEW])))
  })
})
