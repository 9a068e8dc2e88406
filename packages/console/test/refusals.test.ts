import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { es } from '../src/languages/es.ts'
import { explain, sortRefusal } from '../src/parts/refusals.ts'

const problem = (detail: string, pointer?: string, code = 'invalidValue') => ({ code, detail, pointer })

describe('a refusal of the service', () => {
  test('says its times in the zone of the order, not in UTC', () => {
    const told = explain(
      problem('The order expires before this time, at 2026-03-05T18:30:00.000Z.'),
      en,
      'America/Denver',
    )
    expect(told).toBe('The order expires before this time, on Mar 5, 11:30 AM MT. Extend it first.')
  })

  test('says its times in the zone of the order in a sentence that the console does not know', () => {
    const told = explain(problem('Held back until 2026-03-05T18:30:00.000Z.'), en, 'America/Denver')
    expect(told).toBe('Held back until Mar 5, 11:30 AM MT.')
  })

  const SAID = [
    'This time is in the past.',
    'The order expires before this time, at 2026-03-05T18:30:00.000Z.',
    'Order K7M4-2QXD is already cancelled.',
    'Order K7M4-2QXD has nothing left to collect: it is pending.',
    'The service "Urine 5" is ordered and cannot become testing. Allowed next: checkedIn.',
    'Somebody else works on this task. Send `takeOver` to claim it all the same.',
    'The clinic is closed at 03:00 on 2026-11-18 (America/Denver). If something else was agreed, set `override` and give a reason.',
    'Not found, or not visible to this token.',
    'Expected an e-mail address such as name@example.com.',
    'Expected at most 255 characters.',
    'This member is required.',
    'The catalog has changed since the preview. Compare the file again.',
  ]

  test.each(SAID)('has a sentence in Spanish: %s', (detail) => {
    const told = explain(problem(detail), es, 'America/Denver')
    expect(told).not.toBe(detail)
    expect(told).not.toMatch(/T\d\d:\d\d|`|\b(?:the|this|order)\b/i)
  })

  test('that has no sentence in Spanish is shown with its code', () => {
    expect(explain(problem('Something new.', undefined, 'invalidState'), es)).toBe(es.refusals.codes['invalidState'])
  })

  test('stands beside the field that its pointer names', () => {
    const problems = [
      problem('Expected an e-mail address such as name@example.com.', '/email'),
      problem('This member is required.', '/reason'),
    ]
    const { at, rest } = sortRefusal(problems, ['/email', '/phone', '/reason'], { words: en })
    expect(at('/email')).toBe(en.refusals.email)
    expect(at('/phone')).toBeUndefined()
    expect(at('/reason')).toBe(en.refusals.required)
    expect(rest).toBe(en.refusals.marked)
  })

  test('that names no field of the form is shown below it', () => {
    const problems = [problem('Order K7M4-2QXD is already expired.'), problem('Unknown service.', '/serviceId')]
    const { rest } = sortRefusal(problems, ['/email'], { words: en })
    expect(rest).toBe('Order K7M4-2QXD is already expired. This service is unknown.')
  })
})

const SERVICE = fileURLToPath(new URL('../../service/src', import.meta.url))

test('the sentences that the console translates are those of the service', () => {
  const folders = ['domain', 'operations']
  const source = folders
    .flatMap((folder) =>
      readdirSync(join(SERVICE, folder), { recursive: true, encoding: 'utf8' }).map((each) =>
        join(SERVICE, folder, each),
      ),
    )
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const parts = [
    'This time is in the past.',
    'The order expires before this time, at ',
    'Expected a time in the future.',
    ' is already ',
    ' has nothing left to collect: it is ',
    ' and cannot become ',
    'Somebody else works on this task.',
    'This clinic does not offer all services',
    'Unknown or inactive clinic.',
    'The clinic is closed at ',
    'The clinic has no place left at ',
    'The address is on the suppression list.',
    'This report is already ',
    'Not found, or not visible',
    'The catalog has changed since the preview.',
  ]
  expect(parts.filter((part) => !source.includes(part))).toEqual([])
})
