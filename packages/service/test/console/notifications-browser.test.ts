import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { flawsInLightAndDark } from './restricted.ts'
import { consoleService, eachConsolePage, participant } from './signed-in.ts'

describe.skipIf(!hasBrowser)('the notifications of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const rows = () => use.page.locator('[role=row][data-index]')
  const dialog = () => use.page.getByRole('dialog')

  /** The notification of a new order, in a state. */
  const notification = async (state: string) => {
    const order = await service.place({ participant: participant() })
    await service.pool`update notifications set state = ${state}, ended_at = now() where order_id = ${order.id}`
    const { data } = (await service.operator(`/messages?orderId=${order.id}`)) as unknown as { data: { id: string }[] }
    return { id: data[0]!.id, order }
  }
  const bounced = (address: string, type = 'hard') =>
    service.operator('/messages/bounces', { method: 'POST', body: { address, type } })

  test('the suppression list masks addresses, finds one, and removes it by keyboard', async () => {
    await bounced('jordan.wells@example.com')
    await bounced('casey.moore@example.com', 'complaint')
    await use.open('/notifications')
    await use.page.getByRole('button', { name: 'Suppression list' }).click()
    await expect.poll(() => rows().count()).toBe(2)
    expect(await use.page.content()).not.toContain('jordan.wells')
    await use.page.getByLabel('Reason').selectOption('Complained')
    await expect.poll(() => rows().count()).toBe(1)
    expect(use.page.url()).toContain('reason=complaint')
    await use.page.getByLabel('Reason').selectOption('All reasons')
    await use.page.getByLabel('Find an e-mail address or phone number').fill('Jordan.Wells@example.com')
    await use.page.keyboard.press('Enter')
    // Not the one row of the list before.
    await rows().filter({ hasText: 'Does not exist' }).waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    expect(use.page.url()).not.toContain('ordan')
    await rows().first().click()
    await use.page.getByRole('button', { name: 'Remove…' }).press('Enter')
    await dialog().getByText('Those that were suppressed are not sent by themselves').waitFor()
    expect(await flawsInLightAndDark(use)).toEqual([])
    await use.page.keyboard.press('Escape')
    await use.page.locator('button:focus').filter({ hasText: 'Remove…' }).waitFor()
    await use.page.keyboard.press('Enter')
    await dialog().waitFor()
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText('gets notifications again', { exact: false }).last().waitFor()
    await use.page.getByText('No suppressed address').waitFor()
    const { total } = (await service.operator('/suppressions')) as unknown as { total: number }
    expect(total).toBe(1)
  })

  test('an opt-out is removed only after confirming that the person asked for it', async () => {
    await service.operator('/messages/texts', { method: 'POST', body: { from: '+16305550177', text: 'STOP' } })
    await use.open('/notifications?view=suppressions&reason=optOut')
    await rows().first().click()
    await use.page.getByRole('button', { name: 'Remove…' }).click()
    const confirm = dialog().getByRole('button', { name: 'Remove', exact: false }).last()
    expect(await confirm.isDisabled()).toBe(true)
    await dialog().getByLabel('The person has asked to get notifications again.').check()
    await confirm.click()
    await use.page.getByText('No suppressed address').waitFor()
  })

  test('a bounced notification leads to the contact of its order, and is then resent', async () => {
    const { id, order } = await notification('bounced')
    await use.open(`/notifications?notification=${id}`)
    await use.page.getByRole('button', { name: 'Fix the address' }).click()
    await dialog().getByLabel('New e-mail address').fill('maria.new@example.com')
    await dialog().getByLabel('Reason').fill('She called.')
    await use.page.keyboard.press('Control+Enter')
    await dialog().getByText('The contact was changed. Send “Link” again, to the new contact?').waitFor()
    await dialog()
      .getByRole('button', { name: /^Resend/ })
      .click()
    await use.page.getByText('The notification is sent again').waitFor()
    await dialog().waitFor({ state: 'detached' })
    expect(await service.operator(`/messages/${id}`)).toMatchObject({ state: 'waiting' })
    const changed = await service.operator(`/orders/${order.id}`)
    expect(JSON.stringify(changed)).toContain('maria.new@example.com')
    expect(new URL(use.page.url()).search).toBe('')
  })

  test('what a notification says is composed on request, without a usable link', async () => {
    const { id } = await notification('sent')
    await use.open(`/notifications?notification=${id}`)
    const preview = use.page.getByRole('region', { name: 'What it says' })
    await preview.getByText('What was sent can differ.').waitFor()
    const count = async () => Number((await service.operator(`/audit?action=message.preview&subjectId=${id}`))['total'])
    expect(await count()).toBe(0)
    await preview.getByRole('button', { name: 'Show the text' }).click()
    await preview.getByText('https://link-removed.invalid/').waitFor()
    expect(await count()).toBe(1)
    expect(await flawsInLightAndDark(use)).toEqual([])
    expect(await use.page.getByRole('button', { name: 'Fix the address' }).count()).toBe(0)
  })
})
