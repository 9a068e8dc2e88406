import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork } from '../webhooks/working.ts'
import { consoleService, eachConsolePage, flawsOf, ORDER, participant } from './signed-in.ts'

const INTEGRATOR = 'demo-token-full-scope-0001'

describe.skipIf(!hasBrowser)('the webhooks of the console', () => {
  const service = consoleService({ policy: { production: false, callbackAllow: LOOPBACK } })
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  let receiver: Awaited<ReturnType<typeof httpReceiver>>
  let [origin, host] = ['', '']

  beforeAll(async () => {
    let answers = 0
    receiver = await httpReceiver((_, response) => {
      if (answers++ === 0) response.end()
      else response.writeHead(503).end('upstream connect error')
    })
    origin = new URL(receiver.url).origin
    host = new URL(receiver.url).host
    const callback = { url: `${receiver.url}?key=hidden-query`, auth: { type: 'bearer', token: 'hidden-token' } }
    for (const version of ['v2', 'v2', 'v1']) {
      const body = { ...ORDER, participant: participant(), callback }
      const placed = await service.call(INTEGRATOR, { method: 'POST', path: `/api/${version}/orders`, body })
      await service.operator(`/orders/${placed.body.id}/cancellation`, { method: 'PUT', body: { reason: 'Test' } })
      await deliverAll(service, [0, 300])
    }
  })
  afterAll(endWork)

  test('a failing receiver shows its day, its circuit in words, and a delivery with its steps and what was sent', async () => {
    await use.open('/webhooks')
    await use.page.getByRole('button', { name: host }).click()
    const chosen = use.page.getByRole('region', { name: host })
    await chosen.getByText('2 failures in a row.').waitFor()
    await chosen.getByText(/The circuit is closed.*Last success/).waitFor()
    await use.page
      .getByRole('img', { name: `Last 24 hours of ${host}: 1 delivered, 2 failed in 24 hours` })
      .first()
      .waitFor()
    await chosen.getByText('Last 24 hours as a table').click()
    await chosen.getByRole('columnheader', { name: 'Delivered' }).waitFor()
    await chosen.getByText('Active registrations on v1 · 1 in all').click()
    await chosen.getByRole('link', { name: /^ord_/ }).waitFor()
    await use.page.getByRole('group', { name: 'Deliveries' }).getByRole('button', { name: 'Waiting' }).click()
    await expect.poll(() => use.page.locator('[role=row][data-index]').count()).toBe(2)
    await use.page.locator('[role=row][data-index]').nth(1).click()
    const panel = use.page.getByRole('complementary', { name: 'Deliveries' })
    await panel.getByRole('button', { name: /Attempt 1, done, / }).waitFor()
    await panel.getByText(/^Attempt 2, next, /).waitFor({ state: 'attached' })
    await panel.getByText(/^Attempt 3, later, /).waitFor({ state: 'attached' })
    await panel.getByRole('button', { name: 'Copy as curl' }).press('Enter')
    await use.page.getByText('Copied. Fill in what was removed').waitFor()
    const copied = await use.page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toMatch(/^curl -i -X POST 'http:[^]*-H 'Authorization: \[removed\]'[^]*--data-binary '\{/)
    expect(copied).not.toMatch(/hidden-/)
    const text = await panel.innerText()
    expect(text).toContain(`POST ${receiver.url}\n`)
    expect(text).toMatch(/X-Delivery-Attempt\s+1/)
    expect(text).toMatch(/Authorization\s+\[removed\]/)
    expect(text).toContain('"type": "order.updated"')
    expect(text).toContain('upstream connect error')
    expect(await use.page.content()).not.toMatch(/hidden-(query|token)/)
    for (const dark of [false, true]) {
      if (dark) await use.page.keyboard.press('Shift+T')
      expect(await flawsOf(use.page)).toEqual([])
    }
    await use.page.setViewportSize({ width: 390, height: 844 })
    expect(await flawsOf(use.page)).toEqual([])
  })

  test('a receiver is paused and resumed, and only v1 receivers are listed on request', async () => {
    await use.page.setViewportSize({ width: 390, height: 844 })
    await use.open(`/webhooks?show=v1&origin=${encodeURIComponent(origin)}`)
    await use.page.getByRole('row', { name: new RegExp(`${host}.*v1`) }).waitFor()
    await use.page.getByRole('button', { name: 'Pause' }).click()
    await use.page.getByText(/are parked$/).waitFor()
    await use.page.getByRole('cell', { name: 'Paused' }).waitFor()
    await use.page.getByText(/Paused since .* lose no attempt until it is resumed/).waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    await use.page.getByRole('button', { name: 'Resume' }).click()
    await use.page.getByText(/go on$/).waitFor()
    expect(await service.operator('/receivers')).toMatchObject({ total: 0 })
  })

  test('a receiver whose circuit is open is probed at once, and shows how long its answers take', async () => {
    const openUntil = new Date(Date.now() + 600_000)
    const breaker = { failures: 5, openUntil, breakSeconds: 600 }
    await service.store.receivers.setBreaker({ tenantId: 'demo', origin }, breaker)
    await use.open(`/webhooks?origin=${encodeURIComponent(origin)}`)
    await use.page.getByRole('row', { name: new RegExp(`${host}.* [\\d,.]+ m?s `) }).waitFor()
    const chosen = use.page.getByRole('region', { name: host })
    await chosen.getByText(/^Circuit open since /).waitFor()
    await chosen.getByRole('button', { name: 'Probe now' }).click()
    await use.page.getByText(`One delivery to ${host} is sent as a probe`).waitFor()
    await chosen.getByText('Probing.').waitFor()
    await chosen.getByRole('button', { name: 'Probe now' }).waitFor({ state: 'detached' })
    expect(await flawsOf(use.page)).toEqual([])
  })
})
