import { describe, expect, test } from 'vitest'
import { catalogFile } from '../support/service.ts'
import { members, refusal, serving } from './given.ts'

const { get } = serving(catalogFile('acme'))

/** The agencies of the specification, sorted by name. */
const AGENCIES = [
  {
    code: 'FAA',
    name: 'Federal Aviation Administration',
    regulation: '14 CFR 120',
    jobCategories: [
      'Flight Crewmember',
      'Flight Attendant',
      'Flight Instructor',
      'Aircraft Dispatcher',
      'Aircraft Maintenance',
      'Ground Security Coordinator',
      'Aviation Screener',
      'Air Traffic Controller',
      'Operations Control Specialist',
    ],
  },
  {
    code: 'FMCSA',
    name: 'Federal Motor Carrier Safety Administration',
    regulation: '49 CFR 382',
    jobCategories: [],
  },
  {
    code: 'FRA',
    name: 'Federal Railroad Administration',
    regulation: '49 CFR 219',
    jobCategories: [
      'Engine Service',
      'Train Service',
      'Dispatcher/Operation',
      'Signal Service',
      'Maintenance-of-Way',
      'Mechanical',
      'Other',
    ],
  },
  {
    code: 'FTA',
    name: 'Federal Transit Administration',
    regulation: '49 CFR 655',
    jobCategories: [
      'Revenue Vehicle Operation',
      'Revenue Vehicle and Equipment Maintenance',
      'Revenue Vehicle Control/Dispatch',
      'CDL/Non-Revenue Vehicle',
      'Armed Security Personnel',
    ],
  },
  {
    code: 'PHMSA',
    name: 'Pipeline and Hazardous Materials Safety Administration',
    regulation: '49 CFR 199',
    jobCategories: [],
  },
  { code: 'USCG', name: 'United States Coast Guard', regulation: '46 CFR 16', jobCategories: [] },
]

type Reference = { id: string; name: string; url: string }

describe('Agencies and job categories', () => {
  test('the six agencies are listed by name, with their regulations and job categories', async () => {
    const { data, total } = (await get('agencies')).body
    const listed = data.map(({ code, name, regulation, jobCategories }: Record<string, unknown>) => ({
      code,
      name,
      regulation,
      jobCategories: (jobCategories as Reference[]).map((category) => category.name),
    }))
    expect(listed).toEqual(AGENCIES)
    expect(total).toBe(6)
  })

  test('an agency has the members of its reference and of its record, and nothing else', async () => {
    expect((await get('agencies/uscg')).body).toStrictEqual({
      code: 'USCG',
      id: 'uscg',
      jobCategories: [],
      name: 'United States Coast Guard',
      object: 'agency',
      regulation: '46 CFR 16',
      url: '/api/v2/agencies/uscg',
    })
  })

  test('every job category can be read at its url, with the agency that publishes it', async () => {
    const { data } = (await get('agencies')).body
    const all = data.flatMap((agency: { code: string; id: string; url: string; jobCategories: Reference[] }) =>
      agency.jobCategories.map((category) => ({ category, agency })),
    )
    expect(new Set(all.map(({ category }: { category: Reference }) => category.url)).size).toBe(9 + 7 + 5)
    for (const { category, agency } of all) {
      expect(category.url).toBe(`/api/v2/agencies/${agency.id}/jobCategories/${category.id}`)
      expect((await get(category.url.replace('/api/v2/', ''))).body).toStrictEqual({
        agency: { code: agency.code, id: agency.id, object: 'agency', url: agency.url },
        id: category.id,
        name: category.name,
        object: 'jobCategory',
        url: category.url,
      })
    }
  })

  test('a job category is not found under another agency', async () => {
    const [category] = (await get('agencies/fra')).body.jobCategories
    expect((await get(`agencies/fra/jobCategories/${category.id}`)).status).toBe(200)
    for (const path of [
      `fta/jobCategories/${category.id}`,
      `nobody/jobCategories/${category.id}`,
      'fra/jobCategories/x',
    ])
      expect(refusal(await get(`agencies/${path}`))).toEqual(['404 notFound'])
  })

  test('the code filter matches the whole code, ignoring case', async () => {
    for (const code of ['FRA', 'fra', 'Fra'])
      expect(members(await get(`agencies?code=${code}`), 'code')).toEqual(['FRA'])
    expect(members(await get('agencies?code=FR'))).toEqual([])
    expect(members(await get('agencies?code=F%25'))).toEqual([])
  })

  test('the name filter matches a part, ignoring case, and filters combine', async () => {
    expect(members(await get('agencies?name=AVIATION'), 'code')).toEqual(['FAA'])
    expect(members(await get('agencies?name=administration&page=2&limit=2'), 'code')).toEqual(['FRA', 'FTA'])
    expect((await get('agencies?name=administration&page=9')).body).toMatchObject({ data: [], total: 5, page: 9 })
    expect(members(await get('agencies?name=aviation&code=fra'))).toEqual([])
  })
})
