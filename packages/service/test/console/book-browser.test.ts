import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type Placed } from './signed-in.ts'

const CLINIC = 'clinic-west-loop'
const DAY_MS = 86_400_000

describe.skipIf(!hasBrowser)('booking by call', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const dialog = () => use.page.getByRole('dialog')
  const booking = () => use.page.getByRole('region', { name: 'Booking' })
  const read = async (order: Placed) =>
    (await service.operator(`/orders/${order.id}`)) as unknown as {
      appointmentAt: string | null
      order: { clinic: { id: string } | null }
    }

  /** The first day of the coming week with slots, and these. */
  async function dayWithSlots(): Promise<{ label: string; slots: { at: string }[] }> {
    for (let days = 1; days < 6; days += 1) {
      const at = new Date(Date.now() + days * DAY_MS)
      const date = at.toLocaleDateString('sv-SE', { timeZone: 'America/Chicago' })
      const day = (await service.operator(`/clinics/${CLINIC}/day?date=${date}`)) as unknown as {
        slots: { at: string }[]
      }
      const label = new Date(`${date}T12:00:00Z`).toLocaleDateString('en-US', {
        weekday: 'short',
        month: 'short',
        day: 'numeric',
        timeZone: 'UTC',
      })
      if (day.slots.length > 1) return { label, slots: day.slots }
    }
    throw new Error('The clinic is closed all week.')
  }

  test('the slots of a day say what is left, a full one is not offered, and the booking can change and be cancelled', async () => {
    const { label, slots } = await dayWithSlots()
    const other = await service.place({ participant: participant({ lastName: 'First' }) })
    const taken = { clinicId: CLINIC, appointmentAt: slots[0]!.at, override: true, reason: 'Agreed by phone' }
    await service.operator(`/orders/${other.id}/clinic`, { method: 'PUT', body: taken })
    const order = await service.place({ participant: participant() })
    await use.open(`/orders/${order.code}`)
    await use.page.getByRole('article').first().waitFor()
    await use.page.keyboard.press('b')
    await dialog().getByLabel('Clinic').first().fill('West Loop')
    await dialog()
      .getByLabel(/West Loop Employee Health/)
      .check()
    await dialog().getByRole('button', { name: label }).click()
    const full = dialog().getByRole('radio', { name: /full$/ })
    await full.waitFor()
    expect(await full.isDisabled()).toBe(true)
    expect(await flawsOf(use.page)).toEqual([])
    await dialog()
      .getByRole('radio', { name: /1 left$/ })
      .first()
      .check({ force: true })
    await use.page.keyboard.press('Control+Enter')
    await dialog().waitFor({ state: 'detached' })
    await booking().getByText('West Loop Employee Health').waitFor()
    expect(await read(order)).toMatchObject({ appointmentAt: slots[1]!.at, order: { clinic: { id: CLINIC } } })

    await booking().getByRole('button', { name: 'Change clinic' }).click()
    await dialog().getByLabel('Clinic').first().fill('Naperville')
    await dialog()
      .getByLabel(/Naperville Occupational Health/)
      .check()
    await dialog().getByRole('button', { name: /^Book/ }).click()
    await booking().getByText('Naperville Occupational Health').waitFor()
    expect(await read(order)).toMatchObject({ appointmentAt: null, order: { clinic: { id: 'clinic-naperville' } } })

    await booking().getByRole('button', { name: 'Cancel booking' }).click()
    await dialog().getByRole('button', { name: 'Cancel booking' }).click()
    await booking().getByText('No clinic is booked.').waitFor()
    expect((await read(order)).order.clinic).toBeNull()
  })
})
