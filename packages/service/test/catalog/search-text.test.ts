import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogFile } from '@order-testing/contract'
import { catalogFile, token } from '../support/service.ts'
import { members, refusal, SECRET, serving } from './given.ts'

const DEMO = CatalogFile.parse(JSON.parse(readFileSync(new URL('../../catalog/demo.json', import.meta.url), 'utf8')))
const DEMO_SECRET = 'demo-token-full-scope-0001'

const clinics = (...names: string[]) => names.map((name) => ({ id: name, name, services: [] }))

describe('Clinic search by text, in the demo catalog', () => {
  const demo = serving(DEMO)
  const found = async (query: string) => members(await demo.search({ query }, DEMO_SECRET))

  test.each([
    ['as it is written', 'Naperville Occupational Health', 'Naperville Occupational Health'],
    ['letters left out', 'Napervile ocupational', 'Naperville Occupational Health'],
    ['letters left out of each word', 'Naprville Occupatinal Helth', 'Naperville Occupational Health'],
    ['extra letters', 'Napperville Occuppational', 'Naperville Occupational Health'],
    ['swapped letters', 'Naepvrille Ocucpational', 'Naperville Occupational Health'],
    ['letters swapped at the beginning', 'Anperville', 'Naperville Occupational Health'],
    ['two letters left out of one word', 'Ocupatinal Naperville', 'Naperville Occupational Health'],
    ['two letters left out of the only word', 'Minapolis', 'Nordeast Occupational Medicine'],
    ['wrong letters', 'Neperville Okkupational', 'Naperville Occupational Health'],
    ['words in another order and case', 'HEALTH naperville', 'Naperville Occupational Health'],
    ['a short word with swapped letters', 'Ktay', 'Katy Prairie Workplace Health'],
    ['letters swapped at the beginning of a short word', 'Paltte', 'Platte Yard Occupational Medicine'],
    ['accents left out', 'Clinica Laguna', 'Clínica Laguna Azul'],
    ['accents of another kind', 'Clìnîca del Vallé', 'Clínica del Valle'],
    ['an apostrophe left out', 'ohare', "O'Hare Freight & Flight Medicine"],
    ['an apostrophe of another kind', 'O’Hare', "O'Hare Freight & Flight Medicine"],
    ['an okina left out', 'Keehi', 'Keʻehi Lagoon Occupational Health'],
    ['the beginning of a word', 'napervi', 'Naperville Occupational Health'],
    ['the beginning of each word', 'etob cree', 'Etobicoke Creek Workplace Testing'],
    ['the city', 'Elk Grove', "O'Hare Freight & Flight Medicine"],
    ['the postal code', '60540', 'Naperville Occupational Health'],
    [
      'more words than any clinic has',
      'the Naperville Occupational Health Center for Drivers',
      'Naperville Occupational Health',
    ],
    ['words nobody knows among others', 'xqzzv Naperville qqqqq', 'Naperville Occupational Health'],
    ['punctuation', '  (Naperville)   "occupational"!! ', 'Naperville Occupational Health'],
  ])('%s: %j finds %j first', async (_, query, name) => {
    expect((await found(query))[0]).toBe(name)
  })

  test('a word without its accent finds clinics that have the accent', async () => {
    expect((await found('clinica')).slice(0, 2).map(String).toSorted()).toEqual([
      'Clínica Laguna Azul',
      'Clínica del Valle',
    ])
  })

  test.each(['xqzvkw', '!!!', '%', '_', '\\', '😀', '   ', "'); --", 'ʻ', 'qq '.repeat(85).trim()])(
    'meaningless text finds nothing and is not an error: %j',
    async (query) => {
      const { status, body } = await demo.search({ query }, DEMO_SECRET)
      expect(status).toBe(200)
      expect(body).toStrictEqual({ data: [], limit: 20, page: 1, total: 0 })
    },
  )

  test('meaningless text near a place finds nothing', async () => {
    const { body } = await demo.search({ query: 'xqzvkw', near: { postalCode: '60540' } }, DEMO_SECRET)
    expect(body.total).toBe(0)
  })

  test('a number does not match a similar number', async () => {
    expect(await found('60541')).not.toContain('Naperville Occupational Health')
    expect(await found('6054')).toContain('Naperville Occupational Health')
  })

  test('inactive clinics are found only with isActive false', async () => {
    expect(await found('Fox Valley Collections')).not.toContain('Fox Valley Collections')
    const { body } = await demo.search({ query: 'fox valey', isActive: false }, DEMO_SECRET)
    expect(members({ body })).toEqual(['Fox Valley Collections'])
  })

  test('a search without a place has no distances', async () => {
    const { body } = await demo.search({ query: 'naperville' }, DEMO_SECRET)
    expect(body.data[0].distance).toBeNull()
  })

  test('with a place, words filter and distance sorts', async () => {
    const near = { coordinates: { lat: 41.8692, long: -87.6586 } }
    const { body } = await demo.search({ query: 'ocupational', near, radiusMiles: 500 }, DEMO_SECRET)
    const miles = body.data.map(({ distance }: { distance: { miles: number } }) => distance.miles)
    expect(body.total).toBeGreaterThan(1)
    expect(miles).toEqual(miles.toSorted((a: number, b: number) => a - b))
    expect(members({ body })[0]).toBe('Naperville Occupational Health')
    expect(members({ body }).every((name) => /Occupational/.test(String(name)))).toBe(true)
    const close = await demo.search({ query: 'ocupational', near, radiusMiles: 20 }, DEMO_SECRET)
    expect(close.body.total).toBe(0)
  })

  test('a clinic is found despite one typo in any word', async () => {
    const active = DEMO.clinics.filter(({ isActive }) => isActive)
    const slips = fc.tuple(
      fc.constantFrom(...active),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('leave', 'add', 'change', 'swap'),
    )
    await fc.assert(
      fc.asyncProperty(slips, async ([{ id, name }, which, where, slip]) => {
        const words = name.split(/[^\p{L}'ʻ]+/u).filter((word) => word.length >= 4)
        const query = slipped(words.at(which % words.length) ?? '', where, slip)
        fc.pre(query.length >= 4)
        const pages = await Promise.all([1, 2, 3].map((page) => demo.search({ query, page }, DEMO_SECRET)))
        expect(pages.flatMap((page) => members(page, 'id'))).toContain(id)
      }),
      { numRuns: 200, seed: 13 },
    )
  })
})

function slipped(word: string, where: number, slip: string): string {
  const i = where % (word.length - 1)
  if (slip === 'leave') return word.slice(0, i) + word.slice(i + 1)
  if (slip === 'add') return `${word.slice(0, i)}q${word.slice(i)}`
  if (slip === 'change') return `${word.slice(0, i)}q${word.slice(i + 1)}`
  return word.slice(0, i) + word[i + 1] + word[i] + word.slice(i + 2)
}

describe('Clinic search by text: the best match comes first', () => {
  const letters = Array.from('abcdefghij')
  const alike = letters.flatMap((a) => letters.slice(0, 4).map((b) => `San${a}${b}borough`))
  const { search } = serving(
    catalogFile('acme', {
      clinics: [
        ...clinics('Martin', 'Marina', 'Marin', 'Marin County Health', 'Marni', 'Marion'),
        ...clinics('Lake Forest Urgent Care', 'Forest', 'Lake Urgent', 'Care'),
        ...clinics('Marina Laboratorial', 'Marin Laboratorio'),
        ...clinics('Zebra Two', 'Zebra One', 'zebra one', 'Zebra Six Seven'),
        ...clinics(...alike),
      ],
      tokens: [token(SECRET)],
    }),
    // Enough similar short words in another tenant to crowd out ours.
    catalogFile('other', {
      clinics: clinics('Platypus Clinic', ...letters.flatMap((a) => letters.map((b) => `San${a}${b}`))),
    }),
  )

  test('the word itself ranks first, then words it begins, then similar words', async () => {
    const found = members(await search({ query: 'marin' }))
    expect(found.slice(0, 3)).toEqual(['Marin', 'Marin Laboratorio', 'Marin County Health'])
    expect(found.slice(3, 5)).toEqual(['Marina', 'Marina Laboratorial'])
    expect(found.slice(5).map(String).toSorted()).toEqual(['Marion', 'Marni', 'Martin'])
  })

  test('the closeness of all words together decides the rank', async () => {
    // One exact word and one typo in eleven letters, against two prefixes.
    expect(members(await search({ query: 'marin laboratoria' }))).toEqual(['Marin Laboratorio', 'Marina Laboratorial'])
  })

  test('equal matches are sorted by the fewest other words, then by name', async () => {
    expect(members(await search({ query: 'zebra' }))).toEqual([
      'Zebra One',
      'zebra one',
      'Zebra Two',
      'Zebra Six Seven',
    ])
  })

  test('if some clinic has all the words, only such clinics are found', async () => {
    expect(members(await search({ query: 'urgent lake' }))).toEqual(['Lake Urgent', 'Lake Forest Urgent Care'])
  })

  test('if no clinic has all the words, clinics with more of them rank higher', async () => {
    const { body } = await search({ query: 'lake forest care platypus zebra' })
    expect(members({ body })[0]).toBe('Lake Forest Urgent Care')
    expect(body.total).toBe(8)
  })

  test('all of many words with the same beginning are found', async () => {
    const { body } = await search({ query: 'san' })
    expect(body.total).toBe(40)
  })

  test('words of another tenant do not affect a search', async () => {
    expect((await search({ query: 'platypus' })).body.total).toBe(0)
    expect(members(await search({ query: 'platipus' }, 'other-secret-full-scope'))).toEqual(['Platypus Clinic'])
  })

  test('a query must have 1 to 255 characters', async () => {
    expect(refusal(await search({ query: '' }))).toEqual(['400 tooSmall /query'])
    expect(refusal(await search({ query: 'x'.repeat(256) }))).toEqual(['400 tooBig /query'])
    expect((await search({ query: 'x'.repeat(255) })).body.total).toBe(0)
  })
})
