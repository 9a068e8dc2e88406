import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, participant, type Placed } from './signed-in.ts'

const LICENSE = { type: 'driverLicense', value: 'L4001234', issuingState: 'IL', issuingCountry: 'US' }
const HOME = { line1: '1 Main Street', city: 'Naperville', state: 'IL', postalCode: '60540', country: 'US' }

describe.skipIf(!hasBrowser)('the page of an order', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)

  async function show(order: Placed): Promise<void> {
    await use.open(`/orders/${order.code}`)
    await use.page.getByRole('article').first().waitFor()
  }
  const read = (order: Placed) => service.operator(`/orders/${order.id}`)
  const dialog = () => use.page.getByRole('dialog')
  const reads = async (order: Placed) => {
    const { total } = (await service.operator(`/audit?action=order.read&subjectId=${order.id}`)) as unknown as {
      total: number
    }
    return total
  }

  test('moves a service by keyboard, with the time when it happened', async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    await use.page.keyboard.press('m')
    await dialog().getByText('What this changes').waitFor()
    await dialog().getByLabel('Checked in').check()
    await use.page.keyboard.press('Control+Enter')
    await dialog().waitFor({ state: 'detached' })
    await use.page.locator('[aria-current=step]', { hasText: 'Checked in' }).waitFor()
    expect(await read(order)).toMatchObject({ services: [{ status: 'checkedIn' }] })
  })

  test('records the decision of a reviewer only with their name, a date and the code of the order', async () => {
    const order = await service.place({ participant: participant() })
    await service.simulate(order, { outcome: 'negative', until: 'mroReview' })
    await show(order)
    await use.page.getByText('Laboratory findings stay hidden until the medical reviewer reports').waitFor()
    await use.page.getByRole('button', { name: 'Record the reviewer’s decision…' }).click()
    await dialog().getByLabel('Negative', { exact: true }).check()
    const confirm = dialog().getByRole('button', { name: 'Move to negative' })
    await dialog().getByLabel('Type the order code to confirm').fill(order.code.slice(0, -1))
    await dialog().getByText('1 character left').waitFor()
    await dialog().getByLabel('Decided by').fill('Dr. Amara Osei')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog().getByLabel('Type the order code to confirm').fill(order.code)
    await confirm.click()
    await dialog().waitFor({ state: 'detached' })
    expect(await read(order)).toMatchObject({ order: { status: 'negative' } })
    const { data } = (await service.operator(`/audit?action=service.move&subjectId=${order.id}`)) as unknown as {
      data: object[]
    }
    expect(JSON.stringify(data)).toContain('Dr. Amara Osei')
  })

  test('corrects a result with a reason, and offers only other results', async () => {
    const order = await service.place({
      participant: participant(),
      package: { id: 'pkg-random-alcohol' },
      location: { id: 'loc-anvil-pasadena' },
    })
    await service.simulate(order, { outcome: 'negative' })
    await show(order)
    await use.page.getByRole('button', { name: 'Correct a result…' }).click()
    expect(await dialog().getByRole('radio').count()).toBe(4)
    await dialog().getByLabel('Test cancelled').check()
    await dialog().getByText('A correction cannot be undone').waitFor()
    await dialog().getByLabel('Type the order code to confirm').fill(order.code)
    const confirm = dialog().getByRole('button', { name: 'Correct to test cancelled' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog().getByLabel('Reason').fill('The device was out of calibration.')
    await confirm.click()
    await dialog().waitFor({ state: 'detached' })
    expect(await read(order)).toMatchObject({ order: { status: 'testCancelled' } })
  })

  test('says why the service refused a change, and keeps what was entered', async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    await service.operator(`/orders/${order.id}/cancellation`, { method: 'PUT', body: { reason: 'Meanwhile' } })
    await use.page.keyboard.press('m')
    await dialog().getByLabel('Checked in').check()
    await use.page.keyboard.press('Control+Enter')
    await dialog().getByRole('alert').filter({ hasText: 'cancelled' }).waitFor()
    expect(await dialog().getByLabel('Checked in').isChecked()).toBe(true)
  })

  test('shows personal data masked, reveals it for a minute, and each reveal is recorded', async () => {
    const order = await service.place({ participant: participant({ lastName: 'Zimmermann' }) })
    await use.page.clock.install()
    await show(order)
    const person = use.page.getByRole('region', { name: 'Participant' })
    expect(await person.innerText()).toContain('Maria Z.')
    expect(await use.page.content()).not.toMatch(/Zimmermann|1990-03-07/)
    const before = await reads(order)
    await use.page.keyboard.press('v')
    await person.getByText('Maria Zimmermann').waitFor()
    await person.getByText('1990-03-07').waitFor()
    expect(await reads(order)).toBe(before + 1)
    await use.page.clock.runFor(61_000)
    await person.getByText('Maria Z.').waitFor()
    expect(await use.page.content()).not.toMatch(/Zimmermann|1990-03-07/)
  })

  test('books a clinic that offers the services, at a time of the clinic, and cancels the booking', async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    await use.page.keyboard.press('b')
    await dialog().getByLabel('Clinic').first().fill('Naperville')
    await dialog()
      .getByLabel(/Naperville Occupational Health/)
      .check()
    await use.page.keyboard.press('Control+Enter')
    await dialog().waitFor({ state: 'detached' })
    const booking = use.page.getByRole('region', { name: 'Booking' })
    await booking.getByText('Naperville Occupational Health').waitFor()
    expect(await read(order)).toMatchObject({ isBooked: true, order: { status: 'scheduled' } })
    await booking.getByRole('button', { name: 'Cancel booking' }).click()
    await dialog().getByRole('button', { name: 'Cancel booking' }).click()
    await booking.getByText('No clinic is booked.').waitFor()
    expect(await read(order)).toMatchObject({ isBooked: false })
  })

  test('cancels the order after its code was typed', async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    await use.page.getByRole('button', { name: 'Cancel order…' }).click()
    await dialog().getByLabel('Reason').fill('Withdrew')
    await dialog().getByLabel('Type the order code to confirm').fill(order.code)
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('This order is closed.').waitFor()
    expect(await read(order)).toMatchObject({ order: { status: 'cancelled' }, cancelReason: 'Withdrew' })
  })

  test('filters its time line by key, and copies its code', async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    const all = await use.page.getByRole('region', { name: 'Time line' }).getByRole('listitem').count()
    await use.page.keyboard.press('t')
    await expect
      .poll(() => use.page.getByRole('region', { name: 'Time line' }).getByRole('listitem').count())
      .toBeLessThan(all)
    await use.page.keyboard.press('Shift+C')
    await use.page.getByText('Code copied').waitFor()
    expect(await use.page.evaluate('navigator.clipboard.readText()')).toBe(order.code)
  })

  test('an unknown code leads to a page that says so', async () => {
    await use.open('/orders/AAAA-AAAA')
    await use.page.getByText('There is nothing at this address').waitFor()
    expect(await use.page.getByRole('article').count()).toBe(0)
  })

  test('leads to the next and previous order of the list that it was opened from', async () => {
    const placed: Placed[] = []
    for (let i = 0; i < 3; i++) placed.unshift(await service.place({ participant: participant() }))
    await use.open('/orders?status=ordered')
    await use.page.locator('[role=row][data-index]').first().waitFor()
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('o')
    const at = (index: number) => use.page.waitForURL(`**/console/orders/${placed[index]!.code}`)
    await at(0)
    const around = use.page.getByRole('navigation', { name: 'Orders of the list' })
    await around.getByText(/^1 of \d+$/).waitFor()
    expect(await around.getByRole('button', { name: 'Previous order' }).isDisabled()).toBe(true)
    await use.page.keyboard.press('j')
    await at(1)
    await around.getByRole('button', { name: 'Next order' }).click()
    await at(2)
    await around.getByText(/^3 of \d+$/).waitFor()
    await use.page.keyboard.press('k')
    await at(1)
    await use.page.goBack()
    await use.page.waitForURL('**/console/orders?status=ordered')
  })

  test('shows the documents, downloads one, and hides what awaits the reviewer', async () => {
    const order = await service.place({ participant: participant({ address: HOME, identifiers: [LICENSE] }) })
    await service.operator(`/orders/${order.id}/clinic`, {
      method: 'PUT',
      body: { clinicId: 'clinic-naperville', override: true, reason: 'Test' },
    })
    await show(order)
    await use.page.keyboard.press('Shift+D')
    await dialog().getByText('Pass for the clinic').waitFor()
    const [file] = await Promise.all([
      use.page.waitForEvent('download'),
      dialog()
        .getByRole('button', { name: `Download pass-${order.code}.pdf` })
        .click(),
    ])
    expect(file.suggestedFilename()).toBe(`pass-${order.code}.pdf`)
    expect(await flawsOf(use.page)).toEqual([])
    const { total } = (await service.operator(`/audit?action=document.read&subjectId=${order.id}`)) as unknown as {
      total: number
    }
    expect(total).toBe(1)
  })

  test("opens the participant's page read-only, and records it", async () => {
    const order = await service.place({ participant: participant() })
    await show(order)
    await use.page.getByRole('button', { name: 'More actions' }).click()
    const [page] = await Promise.all([
      use.context.waitForEvent('page'),
      use.page.getByRole('menuitem', { name: 'View as participant' }).click(),
    ])
    await page.waitForURL('**/participant-views/*')
    await page.getByText('Read-only view for operators.').waitFor()
    await page.getByText('Maria').first().waitFor()
    const { total } = (await service.operator(
      `/audit?action=order.viewAsParticipant&subjectId=${order.id}`,
    )) as unknown as { total: number }
    expect(total).toBe(1)
  })

  test('says why a request was answered with this order: what was asked, what was found, which rule decided', async () => {
    const person = participant({ lastName: 'Twice' })
    const order = await service.place({ participant: person })
    const nickname = { ...person, firstName: 'Mary' }
    await service.place({ participant: nickname, orderMatching: { enabled: true, matchScore: 60 } })
    await show(order)
    const matching = use.page.getByRole('region', { name: 'Matching' })
    await matching.getByRole('button', { name: 'Compare' }).press('Enter')
    const line = dialog().getByRole('row', { name: /First name/ })
    expect(await line.innerText()).toMatch(/Maria/)
    await dialog().getByText('What decided:').waitFor()
    expect(await dialog().innerText()).not.toContain('Twice')
    expect(await flawsOf(use.page)).toEqual([])
  })

  test('shows times in the zone of the order, and UTC on focus', async () => {
    const order = await service.place({
      participant: participant({
        address: { ...HOME, city: 'Honolulu', state: 'HI', postalCode: '96813' },
      }),
    })
    await show(order)
    const line = use.page.getByRole('region', { name: 'Time line' })
    await line.getByText('HST').or(line.getByText('Hawaii-Aleutian Time')).first().waitFor()
    const time = line.locator('time').first()
    const at = (await time.getAttribute('datetime'))!
    await time.focus()
    const utc = use.page.getByRole('tooltip').getByText(at.slice(11, 19))
    await utc.waitFor()
    expect(await utc.innerText()).toContain(at.slice(0, 10))
  })
})
