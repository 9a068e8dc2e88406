import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type ConsoleService } from './signed-in.ts'

const CLINIC = 'clinic-naperville'

interface Catalog {
  clinics: { id: string; fee?: number }[]
}

const readCatalog = async (service: ConsoleService) => (await service.operator('/catalog')) as unknown as Catalog
const clinicOf = async (service: ConsoleService, id = CLINIC) =>
  (await readCatalog(service)).clinics.find((clinic) => clinic.id === id)!

describe.skipIf(!hasBrowser)('What two operators change at the same time', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const dialog = () => use.page.getByRole('dialog')
  const notice = () => dialog().getByRole('alert')
  const confirm = () => use.page.keyboard.press('Control+Enter')
  const changedOrder = () => notice().getByText('Somebody else changed this order meanwhile')

  const emailOf = async (id: string) => {
    const { order } = (await service.operator(`/orders/${id}`)) as unknown as {
      order: { participant: { email: string } }
    }
    return order.participant.email
  }

  async function changeClinic(id: string, members: object): Promise<void> {
    const catalog = await readCatalog(service)
    const clinics = catalog.clinics.map((clinic) => (clinic.id === id ? { ...clinic, ...members } : clinic))
    await service.operator('/catalog', { method: 'PUT', body: { ...catalog, clinics } })
  }

  test('a contact that a colleague changed meanwhile is changed only after a second confirmation', async () => {
    const order = await service.place({ participant: participant({ lastName: 'Wells' }) })
    await use.open(`/orders/${order.code}?open=contact`)
    await dialog().getByLabel('New e-mail address').fill('second@example.org')
    await dialog().getByLabel('Reason').fill('By telephone')
    await service.operator(`/orders/${order.id}/participant`, {
      method: 'PATCH',
      body: { email: 'first@example.org', reason: 'She called.' },
    })
    await confirm()
    await changedOrder().waitFor()
    expect(await emailOf(order.id)).toBe('first@example.org')
    // Its status is as it was, so only the contact is shown anew.
    expect(await notice().getByText('When you opened this').count()).toBe(0)
    await expect
      .poll(() => dialog().getByLabel('New e-mail address').getAttribute('placeholder'))
      .toMatch(/^f.*@example\.org$/)
    expect(await flawsOf(use.page)).toEqual([])
    await confirm()
    await use.page.getByText('Contact changed').waitFor()
    expect(await emailOf(order.id)).toBe('second@example.org')
  })

  test('a cancellation shows that a colleague has moved the order meanwhile', async () => {
    const order = await service.place({ participant: participant({ lastName: 'Hale' }) })
    await use.open(`/orders/${order.code}`)
    await use.page.getByRole('button', { name: 'Cancel order…' }).click()
    await dialog().getByLabel('Reason').fill('Placed twice')
    await dialog().getByPlaceholder(order.code).fill(order.code)
    const [{ id }] = order.services as [{ id: string }]
    const body = { status: 'checkedIn' }
    await service.operator(`/orders/${order.id}/services/${id}/moves`, { method: 'POST', body })
    await confirm()
    await changedOrder().waitFor()
    await notice().getByText('When you opened this it was').waitFor()
    await dialog().getByRole('button', { name: 'Keep order' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await service.operator(`/orders/${order.id}`)).toMatchObject({ order: { status: 'pending' } })
  })

  test('an entry of the catalog is not applied over the change of a colleague, and what was typed stays', async () => {
    await use.open(`/catalog?kind=clinics&entry=${CLINIC}`)
    const panel = use.page.getByRole('complementary', { name: 'Naperville Occupational Health' })
    await panel.getByLabel('Fee in dollars').fill('65')
    await panel.getByRole('region', { name: 'Difference' }).getByText('1 change').waitFor()
    await changeClinic('clinic-west-loop', { fee: 201 })
    await confirm()
    await panel.getByText('Somebody else changed the catalog meanwhile').waitFor()
    expect((await clinicOf(service)).fee).toBe(62)
    await panel.getByRole('button', { name: 'Load the catalog again' }).click()
    await panel.getByText('Somebody else changed the catalog meanwhile').waitFor({ state: 'detached' })
    expect(await panel.getByLabel('Fee in dollars').inputValue()).toBe('65')
    await panel.getByRole('button', { name: /^Apply/ }).click()
    await use.page.getByText('Naperville Occupational Health changed').waitFor()
    expect((await clinicOf(service)).fee).toBe(65)
    expect((await clinicOf(service, 'clinic-west-loop')).fee).toBe(201)
  })

  test('an entry that a colleague changed itself shows their version when it is loaded again', async () => {
    await use.open(`/catalog?kind=clinics&entry=${CLINIC}`)
    const panel = use.page.getByRole('complementary', { name: 'Naperville Occupational Health' })
    await panel.getByLabel('Fee in dollars').fill('71')
    await panel.getByRole('region', { name: 'Difference' }).getByText('1 change').waitFor()
    await changeClinic(CLINIC, { fee: 70 })
    await confirm()
    await panel.getByText('Somebody else changed the catalog meanwhile').waitFor()
    await panel.getByRole('button', { name: 'Load the catalog again' }).click()
    await expect.poll(() => panel.getByLabel('Fee in dollars').inputValue()).toBe('70')
    expect((await clinicOf(service)).fee).toBe(70)
  })
})
