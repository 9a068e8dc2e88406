import { LANGUAGES, type Language } from '@order-testing/pages'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeUpLanguage, outsideBrackets } from '../../../pages/test/made-up-language.ts'
import { recipientOf, type PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification } from '../../src/notify/compose.ts'
import { composeReply } from '../../src/operations/notifications/replies.ts'
import { orderOf } from '../orders/given.ts'

const LINK = 'https://orders.example/o/secret'
const XX = 'xx' as Language
beforeAll(() => void Object.assign(LANGUAGES, { xx: madeUpLanguage(LANGUAGES.en) }))
afterAll(() => void Reflect.deleteProperty(LANGUAGES, XX))

const BRAND = {
  tenant: 'Northfold',
  company: 'Acme',
  logo: null,
  accent: null,
  privacyUrl: 'https://acme.example/privacy',
  contacts: [{ name: 'Acme', phone: '+16305550101', email: 'help@acme.example' }],
}
const ADDRESS = { line1: '10', line2: '', city: '11', state: '12', postalCode: '60540', country: 'US' }
const CLINIC = { id: 'north', name: 'North Clinic', phone: '+16305550100', address: ADDRESS }
const KINDS = (Object.keys(LANGUAGES.en.notifications.kinds) as PersonKind[]).filter(
  (kind) => recipientOf(kind) === 'participant',
)
const BOOKED = { isBooked: true, clinic: CLINIC, appointmentAt: new Date('2027-01-09T15:30:00Z') }
const STAGES = [{ isBooked: false, clinic: null, appointmentAt: null }, BOOKED, { ...BOOKED, appointmentAt: null }]

const notified = (kind: PersonKind, members: Parameters<typeof orderOf>[0]) =>
  composeNotification(kind, {
    order: orderOf({ expiresAt: new Date('2027-01-16T05:00:00Z'), ...members }),
    link: LINK,
    zone: 'America/Chicago',
    now: new Date('2027-01-08T15:30:00Z'),
    brand: BRAND,
    isFirst: true,
  })

/** Latin letters that no text of the language has, apart from names, codes and addresses. */
const strayIn = (text: string): string[] =>
  outsideBrackets(
    text
      .replaceAll(/https?:\/\/[^\s"<]+|[\w.]+@[\w.]+|\b[A-Z0-9]{4}-[A-Z0-9]{4}\b|&\w+;/g, '')
      .replaceAll(/Acme|Northfold|North Clinic|Maria/g, ''),
  ).match(/[a-z]+/gi) ?? []
/** Without the initial of the company. */
const readOf = (page: string) =>
  page
    .replaceAll(/<td\s+class="tile".*?<\/td>/gs, '')
    .replaceAll(/<(style|title)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')

describe('a third language', () => {
  test('notifications are in it, without a word of English', () => {
    const stray = KINDS.flatMap((kind) =>
      STAGES.flatMap((stage) => {
        const { language, sender = '', subject, text, html, short } = notified(kind, { ...stage, language: XX })
        expect(language).toBe('xx')
        const words = [sender, subject, text, readOf(html), short].flatMap(strayIn)
        return words.length > 0 ? [[kind, ...words]] : []
      }),
    )
    expect(stray).toEqual([])
  })

  test('notifications to somebody whose language is unknown link to the page in every other language', () => {
    const { html, text, short } = notified('link', {})
    for (const language of ['es', 'xx']) expect(html).toContain(`href="${LINK}?lang=${language}"`)
    expect(text).toContain(`También en español:\n${LINK}?lang=es\n\n⟦Also in English⟧:\n${LINK}?lang=xx`)
    expect(short).toContain('(también en español, ⟦also in english⟧)')
  })

  test('answers to text messages are in it', () => {
    const replies = (['stopped', 'started', 'help', 'unread'] as const).map((reply) => composeReply(reply, BRAND, XX))
    expect(replies.flatMap(strayIn)).toEqual([])
  })

  test('an order in a language that is no longer there gets notifications in English', () => {
    expect(notified('link', { language: 'zz' })).toMatchObject({ language: 'en' })
  })
})
