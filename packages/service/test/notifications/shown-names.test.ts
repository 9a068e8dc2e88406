import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MessageKind } from '../../src/domain/notifications/plan.ts'
import { letterTextsIn } from '../../src/notify/letters.ts'
import { letterOf } from '../../src/notify/letters.ts'
import { shownName } from '../../src/notify/shown-names.ts'
import { orderOf } from '../orders/given.ts'

const KINDS = Object.keys(letterTextsIn('en').says) as MessageKind[]

/** A letter about an order whose participant and requester have this first name. */
function letter(kind: MessageKind, firstName: string, language: 'en' | 'es' = 'en') {
  const order = orderOf({ code: 'K7M4-2QXD', language, participant: { firstName } })
  order.requester.firstName = firstName
  return letterOf(kind, { order, link: null, timezone: undefined })
}

describe('ruling 34: names in letters', () => {
  /** What mail clients and telephones look for: addresses, domains, mail addresses, telephone numbers. */
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

  test.each(NAMES)('%j is shown as %j', (firstName, shown) => {
    const greeting = letter('link', firstName).text.split('\n')[0]
    expect(greeting).toBe(`Hello ${shown},`)
  })

  test.each(NAMES)('%j becomes no link in the subject, the text, the page or the text message', (name) => {
    for (const language of ['en', 'es'] as const) {
      for (const kind of KINDS) {
        const named = letter(kind, name, language)
        const plain = letter(kind, 'Maria', language)
        // What is left when everything that any other letter says too is taken away is the name.
        for (const part of ['subject', 'text', 'html', 'short'] as const) {
          const own = wordsBeside(named[part], plain[part])
          expect(own).not.toMatch(LINKS)
        }
      }
    }
  })

  const wordsBeside = (text: string, common: string) => {
    const known = new Set(common.split(/\s+/))
    return text
      .split(/\s+/)
      .filter((word) => !known.has(word))
      .join(' ')
      .replaceAll('&quot;', '"')
      .replaceAll(/[,:.](?=\s|$)|<\/?p[^>]*>/g, '')
  }

  test('nothing that becomes a link is left of any name', () => {
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
        const shown = shownName(firstName)
        expect(shown).not.toMatch(LINKS)
        expect(shown).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u)
        expect(Array.from(shown).length).toBeLessThanOrEqual(40)
      }),
      { numRuns: 2000 },
    )
  })

  test('a name of signs alone is not greeted by, and the requester reads the order code instead', () => {
    expect(letter('link', '🙂').text).toMatch(/^Hello,\n/)
    expect(letter('clinicRequest', '🙂').text).toContain('Please choose a clinic for K7M4-2QXD.')
  })
})
