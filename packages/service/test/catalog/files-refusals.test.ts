import { describe, expect, test } from 'vitest'
import { catalogFile, token } from '../support/service.ts'
import { oneDatabase, problemsOf } from './databases.ts'

const database = oneDatabase()

const clinic = (more: object = {}) => ({ id: 'a', name: 'A', services: [], ...more })
const inClinic = (more: object) => catalogFile('acme', { clinics: [clinic(more)] })
const inCompany = (more: object) => catalogFile('acme', { companies: [{ id: 'acme', name: 'Acme', ...more }] })
const inToken = (more: object) => catalogFile('acme', { tokens: [{ ...token('a-secret-long-enough'), ...more }] })
const inLocation = (more: object) =>
  inCompany({
    locations: [
      { id: 'hq', name: 'HQ' },
      { id: 'x', name: 'X', ...more },
    ],
  })
const named = (id: string) => ({ id, name: id })
const service = { id: 's', name: 'S', category: 'drug', type: 'urine', isDot: false }

/** A description, the content, and its problems. */
const BAD: [string, unknown, string[]][] = [
  ['no object', 'x', ['invalidType #']],
  ['an array', [], ['invalidType #']],
  ['no tenant', {}, ['required #/tenant']],
  ['a tenant without a name', { tenant: { id: 'a' } }, ['required #/tenant/name']],
  ['an unknown member', { ...catalogFile('acme'), clinic: [] }, ['unrecognizedKeys #/clinic']],
  ['an unknown member of an entry', inClinic({ adress: {} }), ['unrecognizedKeys #/clinics/0/adress']],
  ['a member with a slash', inClinic({ 'a/b~c': 1 }), ['unrecognizedKeys #/clinics/0/a~1b~0c']],
  ['an unknown setting', inCompany({ settings: { feeCap: 1 } }), ['unrecognizedKeys #/companies/0/settings/feeCap']],
  [
    'an accent that is no color',
    inCompany({ branding: { accent: 'teal' } }),
    ['invalidFormat #/companies/0/branding/accent'],
  ],
  [
    'a logo of another site without https',
    inCompany({ branding: { logo: 'http://acme.example/logo.png' } }),
    ['invalidFormat #/companies/0/branding/logo'],
  ],
  [
    'a logo that holds a script',
    inCompany({ branding: { logo: 'data:text/html;base64,AAAA' } }),
    ['invalidFormat #/companies/0/branding/logo'],
  ],
  [
    'a privacy notice that is a script',
    inCompany({ branding: { privacyUrl: 'javascript:alert(1)' } }),
    ['invalidFormat #/companies/0/branding/privacyUrl'],
  ],
  [
    'slots of 20 minutes',
    inClinic({ slots: { minutes: 20, capacity: 1 } }),
    ['invalidValue #/clinics/0/slots/minutes'],
  ],
  ['slots for nobody', inClinic({ slots: { minutes: 15, capacity: 0 } }), ['tooSmall #/clinics/0/slots/capacity']],
  [
    'an unknown member of an address',
    inClinic({ address: { zip: '1' } }),
    ['unrecognizedKeys #/clinics/0/address/zip'],
  ],
  [
    'an entry without an id',
    catalogFile('acme', { services: [{ ...service, id: undefined }] }),
    ['required #/services/0/id'],
  ],
  ['an empty name', inClinic({ name: '' }), ['tooSmall #/clinics/0/name']],
  ['a name that is too long', inClinic({ name: 'x'.repeat(256) }), ['tooBig #/clinics/0/name']],
  ['the id .', inClinic({ id: '.' }), ['invalidFormat #/clinics/0/id']],
  ['the id ..', inCompany({ id: '..' }), ['invalidFormat #/companies/0/id']],
  ['an id with a line break', inLocation({ id: 'a\nb' }), ['invalidFormat #/companies/0/locations/1/id']],
  ['NUL in a name', inClinic({ name: 'a\u0000b' }), ['invalidFormat #/clinics/0/name']],
  ['NUL in a city', inClinic({ address: { city: '\u0000' } }), ['invalidFormat #/clinics/0/address/city']],
  ['NUL deep in the hours', inClinic({ hours: { mon: ['8', '\u0000'] } }), ['invalidValue #/clinics/0/hours/mon/1']],
  ['NUL in a name of the hours', inClinic({ hours: { 'a\u0000': 1 } }), ['invalidValue #/clinics/0/hours/a\u0000']],
  ['half a character', inClinic({ name: 'a\ud83d' }), ['invalidFormat #/clinics/0/name']],
  ['half a character in the hours', inClinic({ hours: '\udc00' }), ['invalidValue #/clinics/0/hours']],
  [
    'a latitude beyond the pole',
    inClinic({ coordinates: { lat: 90.1, long: 0 } }),
    ['tooBig #/clinics/0/coordinates/lat'],
  ],
  [
    'a longitude beyond the date line',
    inClinic({ coordinates: { lat: 0, long: -181 } }),
    ['tooSmall #/clinics/0/coordinates/long'],
  ],
  ['half of the coordinates', inClinic({ coordinates: { lat: 1 } }), ['required #/clinics/0/coordinates/long']],
  ['a fee below zero', inClinic({ fee: -1 }), ['tooSmall #/clinics/0/fee']],
  ['a time zone that does not exist', inClinic({ timezone: 'Mars/Olympus' }), ['invalidValue #/clinics/0/timezone']],
  [
    'a country in small letters',
    inClinic({ address: { country: 'us' } }),
    ['invalidFormat #/clinics/0/address/country'],
  ],
  ['a secret under 16 characters', inToken({ secret: 'x'.repeat(15) }), ['tooSmall #/tokens/0/secret']],
  ['a secret with a space', inToken({ secret: 'a secret with a space' }), ['invalidFormat #/tokens/0/secret']],
  [
    'a scope that does not exist',
    inToken({ scopes: ['order.read', 'order.write'] }),
    ['invalidValue #/tokens/0/scopes/1'],
  ],
  [
    'scopes of an integrator and of a laboratory in one token',
    inToken({ scopes: ['order.read', 'intake.lab'], companies: [] }),
    ['invalidValue #/tokens/0/scopes'],
  ],
  [
    'a token of an operator that is linked to companies',
    inToken({ scopes: ['operator.*'] }),
    ['invalidValue #/tokens/0/companies'],
  ],
  [
    'an expiry without an offset',
    inToken({ expiresAt: '2030-01-01T00:00:00' }),
    ['invalidFormat #/tokens/0/expiresAt'],
  ],
  ['an expiry on no day', inToken({ expiresAt: '2030-02-30T00:00:00Z' }), ['invalidFormat #/tokens/0/expiresAt']],
  [
    'an expiry before all years',
    inToken({ expiresAt: '0001-01-01T00:00:00+01:00' }),
    ['invalidValue #/tokens/0/expiresAt'],
  ],
  [
    'an expiry after all years',
    inToken({ expiresAt: '9999-12-31T23:00:00-02:00' }),
    ['invalidValue #/tokens/0/expiresAt'],
  ],
  ['a rate limit below zero', inToken({ rateLimit: -1 }), ['tooSmall #/tokens/0/rateLimit']],
  ['a rate limit beyond counting', inToken({ rateLimit: 2 ** 31 }), ['invalidValue #/tokens/0/rateLimit']],
  ['a service that is not there', inClinic({ services: ['urine', 'x'] }), ['invalidValue #/clinics/0/services/1']],
  [
    'a package’s service that is not there',
    catalogFile('acme', { packages: [{ ...named('basic'), services: ['x'] }] }),
    ['invalidValue #/packages/0/services/0'],
  ],
  [
    'a company’s package that is not there',
    inCompany({ packages: ['basic', 'x'] }),
    ['invalidValue #/companies/0/packages/1'],
  ],
  [
    'a location’s package that is not there',
    inLocation({ packages: ['x'] }),
    ['invalidValue #/companies/0/locations/1/packages/0'],
  ],
  [
    'a configured clinic that is not there',
    inLocation({ settings: { configuredClinic: 'x' } }),
    ['invalidValue #/companies/0/locations/1/settings/configuredClinic'],
  ],
  [
    'a company’s configured clinic that is not there',
    inCompany({ settings: { configuredClinic: 'x' } }),
    ['invalidValue #/companies/0/settings/configuredClinic'],
  ],
  [
    'a token’s company that is not there',
    inToken({ companies: ['acme', 'x'] }),
    ['invalidValue #/tokens/0/companies/1'],
  ],
  [
    'two services with an id',
    catalogFile('acme', { services: [service, service], packages: [], companies: [], tokens: [] }),
    ['invalidValue #/services/1/id'],
  ],
  [
    'two clinics with an id',
    catalogFile('acme', { clinics: [clinic(), clinic(), clinic()] }),
    ['invalidValue #/clinics/1/id', 'invalidValue #/clinics/2/id'],
  ],
  [
    'two packages with an id',
    catalogFile('acme', { packages: ['basic', 'x', 'x'].map((id) => ({ ...named(id), services: [] })) }),
    ['invalidValue #/packages/2/id'],
  ],
  [
    'two companies with an id',
    catalogFile('acme', { companies: [named('acme'), named('acme')] }),
    ['invalidValue #/companies/1/id'],
  ],
  [
    'two locations with an id, in two companies',
    catalogFile('acme', {
      companies: [
        { ...named('acme'), locations: [named('x')] },
        { ...named('beta'), locations: [named('y'), named('x')] },
      ],
    }),
    ['invalidValue #/companies/1/locations/1/id'],
  ],
  [
    'two tokens with an id',
    catalogFile('acme', {
      tokens: [token('the-first-secret-here', { id: 'a' }), token('the-other-secret-here', { id: 'a' })],
    }),
    ['invalidValue #/tokens/1/id'],
  ],
]

describe('Refused catalog files', () => {
  test.each(BAD)('a catalog file is refused with pointers: %s', async (_, content, problems) => {
    const { apply, rows } = database()
    expect(await problemsOf(apply(content as object))).toEqual(problems.map((line) => line.replace(' #', ' file 1#')))
    expect(await rows()).toBe(0)
  })

  test('all problems of a file are reported at once', async () => {
    const { apply } = database()
    const one = catalogFile('one', {
      clinics: [clinic({ name: '', fee: 'free' }), clinic({ id: '..', x: 1 })],
      tokens: [token('short')],
    })
    const two = catalogFile('two', {
      clinics: [clinic({ services: ['x', 'urine', 'y'] }), clinic()],
      tokens: [token('a-secret-for-everyone', { companies: ['x'] }), token('a-secret-for-everyone', { id: 'b' })],
    })
    expect((await problemsOf(apply(one, two))).toSorted()).toEqual([
      'invalidFormat file 1#/clinics/1/id',
      'invalidType file 1#/clinics/0/fee',
      'invalidValue file 2#/clinics/0/services/0',
      'invalidValue file 2#/clinics/0/services/2',
      'invalidValue file 2#/clinics/1/id',
      'invalidValue file 2#/tokens/0/companies/0',
      'invalidValue file 2#/tokens/1/secret',
      'tooSmall file 1#/clinics/0/name',
      'tooSmall file 1#/tokens/0/secret',
      'unrecognizedKeys file 1#/clinics/1/x',
    ])
  })

  test('the error message has a line per problem with file, pointer and detail', async () => {
    const { apply } = database()
    await expect(apply(inClinic({ services: ['x'], timezone: 'UTC' }))).rejects.toThrow(
      'file 1#/clinics/0/services/0: The file does not define a service with the id "x".',
    )
  })

  test('unusual but valid content is accepted', async () => {
    const { apply } = database()
    const odd = catalogFile('…/?#%', {
      clinics: [
        clinic({
          id: '...',
          name: '\u{1F3E5} "\\\'',
          coordinates: { lat: -90, long: 180 },
          fee: 0,
          hours: null,
          timezone: 'UTC',
        }),
        clinic({ id: 'a/b c?', name: 'x'.repeat(255), address: {} }),
      ],
      companies: [{ ...named('acme'), locations: [{ ...named('hq'), packages: [] }] }],
      packages: [{ ...named('twice'), services: ['urine', 'urine'] }],
      tokens: [{ ...token('~'.repeat(255)), id: 'x', name: 'x', expiresAt: '9999-12-31T23:59:59.999Z', rateLimit: 0 }],
    })
    expect(await problemsOf(apply(odd))).toEqual([])
    expect(await apply(odd)).toEqual([])
  })
})
