import { languageFile } from '@order-testing/pages'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification } from '../../src/notify/compose.ts'
import { displayName } from '../../src/notify/display-name.ts'
import { orderOf } from '../orders/given.ts'

const KINDS = Object.keys(languageFile('en').notifications.kinds) as PersonKind[]

/** A notification about an order whose participant and requester have this first name. */
function composed(kind: PersonKind, firstName: string, language: 'en' | 'es' = 'en') {
  const order = orderOf({ code: 'K7M4-2QXD', language, participant: { firstName } })
  order.requester.firstName = firstName
  return composeNotification(kind, { order, link: null, zone: 'UTC', now: new Date() })
}

describe('ruling 34: names in notifications', () => {
  /** What mail clients and phones turn into links. */
  const LINKS = /\w+:\/\/|[^\s.]\.[\p{L}\p{N}]|[@＠/\\:：](?=\S)|\d[\d\s().-]{5,}\d|[。．｡․](?=\S)/u

  const NAMES = [
    ['Bob http://evil.example', 'Bob http evil. example'],
    ['evil.com', 'evil. com'],
    ['www.evil.com', 'www. evil. com'],
    ['a@b.com', 'a b. com'],
    ['https://evil.example/a?b=c#d', 'https evil. example a b c d'],
    ['mailto:eve@evil.example', 'mailto eve evil. example'],
    ['tel:+16305550100', 'tel'],
    ['Call 630-555-0100', 'Call --'],
    ['ｅｖｉｌ．ｃｏｍ', 'evil. com'],
    ['evil。com', 'evil com'],
    ['evil.\u200Bcom', 'evil. com'],
    ['J.R. Smith', 'J. R. Smith'],
    ['Anne-Marie O’Neil Jr.', 'Anne-Marie O’Neil Jr.'],
    ['María José', 'María José'],
    ['王小明', '王小明'],
    ['<a href="//evil.example">Bob</a>', 'a href " evil. example" Bob a'],
  ] as const

  test.each(NAMES)('ruling 34: the name %j is shown as %j', (firstName, shown) => {
    const greeting = composed('link', firstName).text.split('\n')[0]
    expect(greeting).toBe(`Hi ${shown}, please book your test`)
  })

  test.each(NAMES)(
    'ruling 34: the name %j becomes no link in the subject, the text, the page or the text message',
    (name) => {
      for (const language of ['en', 'es'] as const) {
        for (const kind of KINDS) {
          const named = composed(kind, name, language)
          const plain = composed(kind, 'Maria', language)
          // What remains without the words of any other notification is the name.
          for (const part of ['subject', 'text', 'html', 'short'] as const) {
            const own = wordsBeside(named[part], plain[part])
            expect(own).not.toMatch(LINKS)
          }
        }
      }
    },
  )

  const wordsBeside = (text: string, common: string) => {
    // Tags are words of their own; those in names are escaped.
    const words = (from: string) => from.replaceAll(/<\/?|>/g, ' ').split(/\s+/)
    const known = new Set(words(common))
    return words(text)
      .filter((word) => !known.has(word))
      .join(' ')
      .replaceAll('&quot;', '"')
      .replaceAll(/[,:.](?=\s|$)/g, '')
  }

  test('ruling 34: no name is shown with anything that becomes a link', () => {
    const part = fc.constantFrom(
      'http://',
      'www.',
      'evil',
      '.',
      'com',
      '@',
      '/',
      ':',
      ' ',
      '6305550100',
      '\u200B',
      '．',
      '。',
    )
    const name = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(name, (firstName) => {
        const shown = displayName(firstName)
        expect(shown).not.toMatch(LINKS)
        expect(shown).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u)
        expect(Array.from(shown).length).toBeLessThanOrEqual(40)
      }),
      { numRuns: 2000 },
    )
  })

  test('ruling 34: a name without letters is left out, or replaced by the order code', () => {
    expect(composed('link', '🙂').text).toMatch(/^Please book your test\n/)
    expect(composed('clinicRequest', '🙂').text).toContain('Please choose a clinic for K7M4-2QXD.')
  })
})
