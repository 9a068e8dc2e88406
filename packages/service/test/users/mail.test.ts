import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { openPeople } from '../../src/cli/run/people.ts'
import { readConfig } from '../../src/cli/run/settings.ts'
import { OPERATOR_SCOPES } from '@order-testing/contract'
import { freshDatabase, catalogFile, startService, token } from '../support/service.ts'
import { mailServer } from '../notifications/mail-server.ts'

const OPERATOR = 'north-secret-operator'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** A service with these settings for people. */
async function started(env: Record<string, string>) {
  const database = await freshDatabase()
  const { store } = database
  closing.push(() => database.drop())
  const people = openPeople(readConfig(env), { store, logger: pino({ level: 'silent' }) })
  closing.push(people.close)
  const service = await startService(people.options)
  closing.push(() => service.stop())
  const operator = token(OPERATOR, { id: 'operator', scopes: OPERATOR_SCOPES, companies: [] })
  await service.apply(catalogFile('north', { tokens: [operator] }))
  const invite = () => {
    const body = { email: 'rosa@example.com', name: 'Rosa Delgado', role: 'support' }
    return service.call(OPERATOR, { method: 'POST', path: '/api/operator/v1/users', body })
  }
  return { invite, store }
}

/** A mail without the line breaks of its transport encoding. */
const decoded = (source: string) => source.replaceAll('=\r\n', '').replaceAll('=3D', '=')

test('an invitation is sent by the mail server, with the link and until when it works', async () => {
  const mail = await mailServer()
  closing.push(() => mail.close())
  const { invite } = await started({
    OTS_SMTP_URL: mail.url,
    OTS_PUBLIC_URL: 'https://orders.example',
  })
  const { status, body } = await invite()
  expect([status, body.invitation.isMailed]).toEqual([201, true])
  expect(body.invitation.url).toMatch(/^https:\/\/orders\.example\/console\/invitation\/otsi_/)
  expect(mail.mails).toHaveLength(1)
  const [{ to, source }] = mail.mails as [(typeof mail.mails)[0]]
  expect(to).toEqual(['rosa@example.com'])
  expect(decoded(source)).toContain(body.invitation.url)
  expect(decoded(source)).toContain('Subject: Your access to the console of Tenant north')
})

test('an invitation that the mail server refuses is made all the same, and says that it was not sent', async () => {
  const mail = await mailServer({ refusing: 550 })
  closing.push(() => mail.close())
  const { invite } = await started({ OTS_SMTP_URL: mail.url, OTS_PUBLIC_URL: 'https://orders.example' })
  expect(await invite()).toMatchObject({ status: 201, body: { invitation: { isMailed: false } } })
})

test('a sandbox without a mail server keeps the invitation in its mailbox', async () => {
  const { invite, store } = await started({})
  expect(await invite()).toMatchObject({ status: 201, body: { invitation: { isMailed: true } } })
  const { rows } = await store.mailbox.page({ limit: 5 })
  expect(rows).toMatchObject([{ content: { to: 'rosa@example.com' } }])
})
