import { describe, expect, test } from 'vitest'
import { header, NEGATIVE, oru, PID, post } from '../intake/given.ts'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { consoleService, eachConsolePage, flawsOf, OPERATOR, participant } from './signed-in.ts'

describe.skipIf(!hasBrowser)('the results of the console', () => {
  const service = consoleService()
  const opened = openBrowser()
  const use = eachConsolePage(opened, service)
  const dialog = () => use.page.getByRole('dialog')

  const reported = (members: object) =>
    service.operator('/results', {
      method: 'POST',
      body: {
        messageId: crypto.randomUUID(),
        sender: { kind: 'lab', id: 'lab-tamarack-falls' },
        event: 'result',
        result: 'negative',
        occurredAt: new Date().toISOString(),
        ...members,
      },
    }) as unknown as Promise<{ id: string; state: string }>
  const state = async (id: string) => (await service.operator(`/results/${id}`))['state']

  /** A report about another person than the participant of the order that it names. */
  async function misnamed() {
    const order = await service.place({ participant: participant({ lastName: 'Vance' }) })
    const report = await reported({
      match: { orderCode: order.code },
      event: 'checkedIn',
      result: undefined,
      sender: { kind: 'collector', id: 'north-collections' },
      participant: { firstName: 'Maria', lastName: 'Quist' },
    })
    expect(report.state).toBe('queued')
    return { order, report }
  }

  test('a candidate shows its score and what differs, and a key assigns after saying what will move', async () => {
    const { order, report } = await misnamed()
    await use.open(`/results?report=${report.id}`)
    await use.page.getByText('The person is not the participant of the order.').waitFor()
    const candidate = use.page.getByRole('article', { name: order.code })
    await candidate.getByRole('row', { name: /Last name Q\. V\. Differs/ }).waitFor()
    await candidate.getByRole('row', { name: /First name Maria Maria Same/ }).waitFor()
    expect(await candidate.getByRole('meter', { name: 'Score' }).getAttribute('value')).toMatch(/^[1-9]\d$/)
    expect(await use.page.content()).not.toMatch(/Vance|Quist/)
    await use.page.keyboard.press('1')
    await dialog()
      .getByText(/moves from .* to checked in/)
      .waitFor()
    await dialog().getByText('Differs: Last name.').waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    expect(await state(report.id)).toBe('queued')
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText(`Assigned to ${order.code}`).waitFor()
    expect(await service.operator(`/results/${report.id}`)).toMatchObject({ state: 'applied', orderId: order.id })
  })

  test('another order is found by its code, and assigned by mouse', async () => {
    const { report } = await misnamed()
    const other = await service.place({ participant: participant({ lastName: 'Quist' }) })
    await use.open(`/results?report=${report.id}`)
    await use.page.getByText('Why it is here:').waitFor()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type(other.code)
    await use.page.keyboard.press('Enter')
    const candidate = use.page.getByRole('article', { name: other.code })
    await candidate.getByRole('row', { name: /Last name Q\. Q\. Same/ }).waitFor()
    await candidate.getByRole('button', { name: `Assign to ${other.code}` }).click()
    await dialog()
      .getByRole('button', { name: /^Assign/ })
      .click()
    await use.page.getByText(`Assigned to ${other.code}`).waitFor()
    expect(await service.operator(`/results/${report.id}`)).toMatchObject({ state: 'applied', orderId: other.id })
  })

  test('a report that resembles no order names its laboratory and says how to go on', async () => {
    const report = await reported({ match: { specimenId: 'S-2041877' } })
    await use.open(`/results?report=${report.id}`)
    const candidates = use.page.getByRole('region', { name: 'Candidate orders' })
    await candidates.getByRole('heading', { name: 'No order is similar' }).waitFor()
    const list = use.page.getByRole('navigation', { name: 'Result reports' })
    await list.getByText('Tamarack Falls Laboratories').first().waitFor()
    const article = use.page.getByRole('article', { name: 'Result report' })
    await article.getByText('lab · Tamarack Falls Laboratories lab-tamarack-falls').waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    await candidates.getByRole('button', { name: 'Find by code or specimen' }).click()
    await use.page.keyboard.type('S-none')
    await use.page.keyboard.press('Enter')
    await candidates.getByRole('heading', { name: 'No such order' }).waitFor()
  })

  test('an HL7 message is read by segment, with persons masked and findings withheld', async () => {
    await post(service, oru({ code: 'ZZZZ-ZZZZ', lines: [NEGATIVE, 'NTE|1||Temperature low'] }), { secret: OPERATOR })
    const { data } = (await service.operator('/results?state=queued&limit=1')) as unknown as { data: { id: string }[] }
    await use.open(`/results?report=${data[0]!.id}`)
    await use.page.getByRole('button', { name: 'By segment' }).click()
    const report = use.page.getByRole('article', { name: 'Result report' })
    await report.getByRole('row', { name: /PID-5 Name L\.\^Maria/ }).waitFor()
    await report.getByRole('row', { name: /OBR-3 Specimen id ACC-77/ }).waitFor()
    await report.getByRole('row', { name: /OBX-5 Value Withheld until the medical reviewer reports/ }).waitFor()
    await report.getByText('OBX|1|CWE|OVERALL^OVERALL RESULT^L||••••||||||F').waitFor()
    expect(await use.page.content()).not.toMatch(/Lopez|19900307|Negative\^SCT|Temperature low/)
    expect(await flawsOf(use.page)).toEqual([])
  })

  test('the code of a laboratory is remembered with an assignment, and forgotten again', async () => {
    const order = await service.place({ participant: participant({ firstName: 'Maria', lastName: 'Lopez' }) })
    const message = oru({ code: 'ZZZZ-ZZZZ', panel: 'D5U^DOT 5 PANEL', status: 'I', lines: [] })
    await post(service, message, { secret: OPERATOR })
    const { data } = (await service.operator('/results?state=queued&limit=1')) as unknown as { data: { id: string }[] }
    await use.open(`/results?report=${data[0]!.id}`)
    await use.page.getByText('Why it is here:').waitFor()
    await use.page.keyboard.press('/')
    await use.page.keyboard.type(order.code)
    await use.page.keyboard.press('Enter')
    await use.page.getByRole('article', { name: order.code }).waitFor()
    await use.page.keyboard.press('1')
    const remember = dialog().getByRole('checkbox', { name: /^Remember: D5U from HEARTLAND is / })
    expect(await remember.isChecked()).toBe(true)
    await use.page.keyboard.press('Control+Enter')
    await use.page.getByText(`Assigned to ${order.code}`).waitFor()
    const learned = async () => (await service.operator('/laboratoryCodes?origin=learned')).total
    expect(await learned()).toBe(1)
    await use.page.keyboard.press('m')
    await dialog()
      .getByRole('row', { name: /HEARTLAND D5U/ })
      .waitFor()
    expect(await flawsOf(use.page)).toEqual([])
    await dialog().getByRole('button', { name: 'Forget D5U of HEARTLAND' }).press('Enter')
    await use.page.getByText('D5U is forgotten.').waitFor()
    expect(await learned()).toBe(0)
  })

  test('what a laboratory found is withheld, in words and as received', async () => {
    const report = await reported({ match: { specimenId: 'S-77180' }, result: 'positive' })
    await use.open(`/results?report=${report.id}`)
    await use.page.getByText('Withheld until the medical reviewer reports').waitFor()
    await use.page.getByRole('button', { name: 'As received' }).click()
    expect(await use.page.getByRole('article', { name: 'Result report' }).innerText()).not.toContain('positive')
  })

  test('an applied report of a laboratory stays withheld while the test awaits the medical reviewer', async () => {
    const order = await service.place({ participant: participant() })
    await service.simulate(order, { outcome: 'negative', until: 'testing' })
    const match = { serviceId: order.services[0]!.id }
    const screened = { event: 'screened', screen: 'initial', result: undefined, reason: 'Amphetamines present' }
    const report = await reported({ match, ...screened })
    expect(report.state).toBe('applied')
    await use.open(`/results?state=applied&report=${report.id}`)
    await use.page.getByText('Withheld until the medical reviewer reports').first().waitFor()
    expect(await use.page.getByRole('article', { name: 'Result report' }).innerText()).not.toContain('Amphetamines')
  })

  test('a report is dismissed with a reason, unless that is undone', async () => {
    const report = await reported({ match: { specimenId: 'S-77181' } })
    await use.page.clock.install()
    const begin = async () => {
      await use.open(`/results?report=${report.id}`)
      await use.page.getByText('Why it is here:').waitFor()
      await use.page.keyboard.press('d')
      await dialog().getByLabel('Reason').fill('Sent to us by mistake')
      await use.page.keyboard.press('Control+Enter')
      await use.page.getByText('Dismissing the report').waitFor()
    }
    await begin()
    await use.page.keyboard.press('z')
    await use.page.clock.runFor(12_000)
    expect(await state(report.id)).toBe('queued')
    await begin()
    await use.page.clock.runFor(12_000)
    await expect.poll(() => state(report.id)).toBe('dismissed')
  })

  test('a refused message is listed, masked, and shown with its persons after a click that is recorded', async () => {
    const message = [header('CTL-REFUSED', 'ADT^A01'), PID, 'OBX|1|CWE|OVERALL||Positive'].join('\r')
    await post(service, message, { secret: OPERATOR })
    await use.open('/results')
    await use.page.getByRole('button', { name: 'Refused' }).click()
    const list = use.page.getByRole('navigation', { name: 'Result reports' })
    await list.getByRole('button', { name: /only ORU\^R01 is accepted/ }).click()
    const refused = use.page.getByRole('article', { name: 'Refused message' })
    await refused.getByText('CTL-REFUSED', { exact: true }).first().waitFor()
    await refused.getByRole('row', { name: /PID-5 Name L\.\^Maria/ }).waitFor()
    expect(await use.page.content()).not.toMatch(/Lopez|Positive/)
    expect(await flawsOf(use.page)).toEqual([])
    await refused.getByRole('button', { name: 'Reveal for 60 s' }).click()
    await refused.getByRole('row', { name: /PID-5 Name Lopez\^Maria/ }).waitFor()
    expect(await use.page.content()).not.toContain('Positive')
    const { data } = (await service.operator('/audit?action=refusedMessage.reveal')) as unknown as { data: object[] }
    expect(data).toHaveLength(1)
    await refused.getByRole('button', { name: 'Hide' }).click()
    await refused.getByRole('row', { name: /PID-5 Name L\.\^Maria/ }).waitFor()
  })

  test('the list goes on past its first page, by keys too', async () => {
    for (let number = 0; number < 21; number += 1) await reported({ match: { specimenId: `S-88${number}` } })
    const { data } = (await service.operator('/results?state=queued&limit=20&page=2')) as unknown as {
      data: { id: string }[]
    }
    await use.open('/results')
    const list = use.page.getByRole('navigation', { name: 'Result reports' })
    await list.getByRole('button', { name: 'Specimen S-8820' }).waitFor()
    for (let presses = 0; presses < 20; presses += 1) await use.page.keyboard.press('j')
    await expect.poll(() => list.getByRole('button').count()).toBeGreaterThan(20)
    await use.page.keyboard.press('j')
    await use.page.keyboard.press('Enter')
    await use.page.waitForURL(`**/results?report=${data[0]!.id}`)
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const sized = eachConsolePage(opened, service, { width })

    test('the page has no flaw that axe finds, in light and dark, and fits', async () => {
      const { order, report } = await misnamed()
      await sized.open(`/results?report=${report.id}`)
      await sized.page.getByRole('article', { name: order.code }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await sized.page.emulateMedia({ colorScheme })
        await sized.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        expect(await flawsOf(sized.page)).toEqual([])
      }
    })
  })
})
