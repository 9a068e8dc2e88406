import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { endWork } from '../webhooks/working.ts'
import { CLINIC, givenMorning, nextSlot, typedTime, type Morning } from './days-work-given.ts'
import { keyboardDesk } from './keyboard-desk.ts'
import { consoleService, type Placed } from './signed-in.ts'

const HOUR_MS = 3_600_000

/** The tests are one day: each goes on where the one before it left the console. */
describe.skipIf(!hasBrowser)('a day of an operator who has no mouse', () => {
  const clock = { behindMs: 0 }
  const service = consoleService({
    policy: { production: false, callbackAllow: LOOPBACK },
    now: () => new Date(Date.now() - clock.behindMs),
  })
  const desk = keyboardDesk(openBrowser(), service)
  let morning: Morning
  beforeAll(async () => {
    morning = await givenMorning(service, clock)
  })
  afterAll(endWork)

  const read = ({ id }: Placed) => service.operator(`/orders/${id}`)
  const recorded = async (action: string, subjectId?: string) =>
    Number((await service.operator(`/audit?action=${action}${subjectId ? `&subjectId=${subjectId}` : ''}`))['total'])
  const taskOf = async ({ id }: Placed, state = 'open') => {
    const { data } = (await service.operator(`/tasks?state=${state}`)) as unknown as {
      data: { order: { id: string } | null }[]
    }
    return data.find(({ order }) => order?.id === id)
  }
  const openOrder = async ({ code }: Placed) => {
    await desk.press('Control+k')
    await desk.seesControl('combobox', /./)
    await desk.type(code)
    await desk.seesControl('option', new RegExp(`${code} Maria`))
    await desk.press('Enter')
    await desk.seesControl('region', 'Time line')
    expect(desk.path()).toBe(`/orders/${code}`)
  }

  test('signing in', async () => {
    await desk.begin('')
    await desk.tabTo('button', 'Enter as the demo operator')
    await desk.press('Enter')
    await desk.seesControl('region', /Overdue|Due today|Later/)
    expect(desk.path()).toBe('/')
  })

  test('1. a caller is found by name from anywhere, and the search is recorded', async () => {
    await desk.press('Control+k')
    await desk.seesControl('combobox', /./)
    await desk.type('Whitfield')
    await desk.seesControl('option', /Maria W\./)
    await desk.press('Enter')
    await desk.seesControl('region', 'Time line')
    expect(desk.path()).toBe(`/orders/${morning.caller.code}`)
    expect(await recorded('order.search')).toBeGreaterThan(0)
  })

  test('2. the contact is revealed to the operator, which is recorded, and hidden again', async () => {
    const before = await recorded('order.read', morning.caller.id)
    await desk.press('v')
    await desk.sees('Maria Whitfield')
    expect(await recorded('order.read', morning.caller.id)).toBe(before + 1)
    await desk.press('v')
    expect(await desk.read('region', 'Participant')).not.toContain('Whitfield')
  })

  test('3. the e-mail address is changed, and the focus returns to the menu', async () => {
    await desk.tabTo('button', 'More actions')
    await desk.press('Enter')
    await desk.moveTo('menuitem', 'Change contact…')
    await desk.press('Enter')
    await desk.seesControl('dialog', 'Change contact')
    await desk.type('nora.whitfield@example.org')
    await desk.tabTo('textbox', 'Reason')
    await desk.type('Misspelled, confirmed by phone')
    await desk.press('Control+Enter')
    await desk.sees('Contact changed')
    await desk.seesNo('dialog')
    expect(await desk.focused()).toBe('More actions')
    expect(await read(morning.caller)).toMatchObject({
      order: { participant: { email: 'nora.whitfield@example.org' } },
    })
  })

  test('4. the link is sent again', async () => {
    await desk.press('r')
    await desk.sees('Sending the link again')
    await expect.poll(() => recorded('order.link', morning.caller.id)).toBe(1)
  })

  test('5. a clinic and a time are booked during the call', async () => {
    const slot = await nextSlot(service)
    await desk.press('b')
    await desk.seesControl('radio', new RegExp(CLINIC.name))
    await desk.type('Naperville')
    await desk.tabTo('radio', new RegExp(CLINIC.name))
    await desk.press('Space')
    await desk.tabTo('button', slot.label)
    await desk.press('Enter')
    await desk.seesControl('radio', /left$/)
    await desk.tabTo('radio', 'Any time')
    await desk.press('ArrowDown')
    await desk.press('Control+Enter')
    await desk.seesNo('dialog')
    expect(await read(morning.caller)).toMatchObject({ appointmentAt: slot.at, order: { clinic: { id: CLINIC.id } } })
  })

  test('6. the first task of today is claimed', async () => {
    await desk.press('g', 't')
    await desk.seesControl('region', /Due today|Later/)
    await desk.press('j', 'Enter')
    await desk.seesControl('complementary', 'Task')
    await desk.press('c')
    await desk.seesControl('button', 'Release')
    await expect.poll(() => taskOf(morning.expiring[0])).toMatchObject({ claimedBy: { name: 'Demo operator' } })
  })

  test('7. it is snoozed, and undone: the row is back, and selected', async () => {
    await desk.press('s')
    await desk.moveTo('menuitem', /^In an hour/)
    await desk.press('Enter')
    await desk.sees('Snoozed until')
    await expect.poll(() => taskOf(morning.expiring[0], 'snoozed')).toBeDefined()
    await expect.poll(() => desk.focused()).toContain(morning.expiring[1].code)
    await desk.press('z')
    await expect.poll(() => taskOf(morning.expiring[0])).toBeDefined()
    await expect.poll(() => desk.focused()).toContain(morning.expiring[0].code)
  })

  test('8. the order that expires is extended from its task', async () => {
    await desk.press('Enter')
    await desk.seesControl('button', 'Extend expiry')
    await desk.press('d')
    await desk.seesControl('dialog', 'Extend expiry')
    await desk.retype('10')
    await desk.tabTo('textbox', 'Reason')
    await desk.type('On leave')
    await desk.press('Control+Enter')
    await desk.seesNo('dialog')
    const { order } = (await read(morning.expiring[0])) as unknown as { order: { expiresAt: string } }
    expect(Date.parse(order.expiresAt)).toBeGreaterThan(Date.now() + 9 * 24 * HOUR_MS)
  })

  test('9. a report without an order is assigned to the first candidate', async () => {
    await desk.press('g', 'r')
    await desk.sees('north-collections')
    await desk.press('j', 'Enter')
    await desk.seesControl('button', /^Assign to/)
    await desk.press('1')
    await desk.sees(/moves from .* to checked in/)
    await desk.press('Control+Enter')
    await desk.sees(/^Assigned to/)
    expect(await service.operator(`/results/${morning.reports.assigned}`)).toMatchObject({ state: 'applied' })
  })

  test('10. a report that is not ours is dismissed with a reason', async () => {
    await desk.press('j', 'Enter')
    await desk.sees('Why it is here:')
    await desk.press('d')
    await desk.seesControl('dialog', /./)
    await desk.type('Sent to us by mistake')
    await desk.press('Control+Enter')
    await desk.sees('Dismissing the report')
    await expect
      .poll(() => service.operator(`/results/${morning.reports.dismissed}`))
      .toMatchObject({ state: 'dismissed' })
  })

  test('11. an order is moved to its next stage, with the time at which it happened', async () => {
    const happened = new Date(Math.floor((Date.now() - 26 * HOUR_MS) / 60_000) * 60_000)
    await openOrder(morning.collected)
    await desk.press('m')
    await desk.tabTo('radio', /^In transit/)
    await desk.press('Space')
    await desk.tabTo('textbox', /^When/)
    await desk.type(typedTime(happened))
    await desk.press('Control+Enter')
    await desk.seesNo('dialog')
    expect(await read(morning.collected)).toMatchObject({
      order: { services: [{ status: 'inTransit', statusUpdatedAt: happened.toISOString() }] },
    })
  })

  test('12. a result is corrected with a reason and the typed code', async () => {
    const { code } = morning.negative
    await openOrder(morning.negative)
    await desk.tabTo('button', 'Correct a result…')
    await desk.press('Enter')
    await desk.tabTo('radio', /./)
    await desk.press('Space')
    await desk.moveTo('radio', 'Test cancelled')
    await desk.tabTo('textbox', 'Reason')
    await desk.type('The device was out of calibration.')
    await desk.tabTo('textbox', 'Type the order code to confirm')
    await desk.type(code)
    await desk.press('Control+Enter')
    await desk.seesNo('dialog')
    expect(await read(morning.negative)).toMatchObject({ order: { status: 'testCancelled' } })
  })

  test('13. an order is cancelled after its code was typed', async () => {
    await openOrder(morning.unwanted)
    await desk.tabTo('button', 'Cancel order…')
    await desk.press('Enter')
    await desk.seesControl('dialog', /./)
    await desk.type('Withdrew')
    await desk.tabTo('textbox', 'Type the order code to confirm')
    await desk.type(morning.unwanted.code)
    await desk.press('Control+Enter')
    await desk.sees('This order is closed.')
    expect(await read(morning.unwanted)).toMatchObject({ order: { status: 'cancelled' }, cancelReason: 'Withdrew' })
  })

  test('14. a failed delivery is replayed', async () => {
    await desk.press('g', 'w')
    await desk.tabTo('button', 'Failed')
    await desk.press('Enter')
    await desk.sees('503')
    await desk.press('j', 'Enter')
    await desk.seesControl('button', 'Send again now')
    await desk.press('r')
    await expect.poll(() => service.operator(`/deliveries/${morning.deliveryId}`)).toMatchObject({ endedAt: null })
  })

  test('15. its receiver is paused, and the focus stays on the button', async () => {
    const { origin, host } = morning.receiver
    await desk.press('Escape')
    await desk.tabBackTo('button', /^All$/)
    await desk.press('Enter')
    await desk.tabTo('button', host)
    await desk.press('Enter')
    await desk.tabTo('button', 'Pause')
    await desk.press('Enter')
    await desk.seesControl('button', 'Resume')
    expect(await desk.focused()).toContain('Resume')
    expect(await service.operator(`/receivers?origin=${origin}`)).toMatchObject({
      data: [{ pausedAt: expect.any(String) as string }],
    })
  })

  test('16. the booking of the caller is moved to another clinic', async () => {
    const { days } = await nextSlot(service)
    await desk.press('g', 'b')
    await desk.seesControl('navigation', 'Clinics')
    await desk.press('/')
    await desk.type('Naperville')
    await desk.seesControl('button', new RegExp(CLINIC.name))
    await desk.press('Enter', 'j')
    await desk.seesControl('article', CLINIC.name)
    await desk.press(...Array<string>(days).fill('ArrowRight'))
    await desk.seesControl('link', new RegExp(morning.caller.code))
    await desk.press('r')
    await desk.sees('1 person will be notified')
    await desk.press('Control+Enter')
    await desk.sees('1 rebooked')
    const { order } = (await read(morning.caller)) as unknown as { order: { clinic: { id: string } } }
    expect(order.clinic.id).not.toBe(CLINIC.id)
  })

  test('17. a setting of a company is changed after its difference was shown', async () => {
    await desk.press('g', 'c')
    await desk.seesControl('grid', 'Companies')
    await desk.press('/')
    await desk.type('Boxelder')
    await desk.press('Enter', 'j', 'Enter')
    await desk.tabTo('textbox', 'Fee cap in dollars')
    await desk.retype('91')
    await desk.seesControl('region', 'Difference')
    await desk.press('Control+Enter')
    await desk.sees('Boxelder Fulfillment changed')
    const { companies } = (await service.operator('/catalog')) as unknown as { companies: { id: string }[] }
    expect(companies.find(({ id }) => id === 'co-boxelder')).toMatchObject({ settings: { clinicFeeCap: 91 } })
  })

  test('18. a token is created, and its secret copied', async () => {
    await desk.press('g', 'k')
    await desk.seesControl('grid', 'Tokens')
    await desk.press('n')
    await desk.seesControl('textbox', 'Name')
    await desk.type('Fleet HR')
    await desk.tabTo('checkbox', /^order\.list/)
    await desk.press('Space')
    await desk.press('Control+Enter')
    await desk.tabTo('button', 'Copy')
    await desk.press('Enter')
    await desk.sees('Copied')
    await desk.press('Escape')
    await desk.seesControl('complementary', 'Token')
    const { data } = (await service.operator('/tokens')) as unknown as { data: object[] }
    expect(data).toContainEqual(expect.objectContaining({ name: 'Fleet HR', scopes: ['order.list'] }))
  })

  test('19. the log is filtered by an action, and shows how far its chain reaches', async () => {
    await desk.press('g', 'a')
    await desk.seesControl('grid', 'Audit')
    await desk.press('/')
    await desk.type('token.create')
    await desk.press('Enter')
    await desk.sees(/^1 entry/)
    await desk.sees(/are linked to the hash chain/)
    expect(await recorded('token.create')).toBe(1)
  })

  test('20. the orders of a filter are exported', async () => {
    await desk.press('g', 'o')
    await desk.seesControl('grid', /./)
    await desk.press('f')
    await desk.moveTo('menuitem', 'Status')
    await desk.press('Enter')
    await desk.seesControl('textbox', 'Status')
    await desk.type('Cancelled')
    await desk.press('Enter')
    await desk.sees('Test cancelled')
    await desk.tabBackTo('button', 'Export CSV')
    const file = await desk.saves(() => desk.press('Enter'))
    expect(file.suggestedFilename()).toBe('orders.csv')
    expect(await recorded('order.export')).toBe(1)
  })
})
