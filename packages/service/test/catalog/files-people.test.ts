import { CatalogTexts, parse } from '@order-testing/contract'
import { expect, test } from 'vitest'
import { applyCatalogs, exportCatalog } from '../../src/operations/catalog/files.ts'
import { catalogFile } from '../support/service.ts'
import { databases, problemsOf } from './databases.ts'

const database = databases()

const clinic = (id: string, more: object = {}) => ({ id, name: `Clinic ${id}`, services: ['urine'], ...more })

test('branding, texts, names, slots and contacts are kept as the file has them', async () => {
  const { apply, store } = await database()
  const branding = { accent: '#0B5D5B', helpPhone: '(630) 555-0101', privacyUrl: 'https://acme.example/privacy' }
  const consent = { version: '2026-01', en: 'I agree.', es: 'Acepto.', fr: 'J’accepte.' }
  const file = catalogFile('acme', {
    tenant: { id: 'acme', name: 'Acme', branding: { logo: 'data:image/png;base64,AAAA' }, texts: { consent } },
    services: [
      {
        id: 'urine',
        name: 'Urine',
        names: { es: 'Orina', fr: 'Urine' },
        category: 'drug',
        type: 'urine',
        isDot: false,
      },
    ],
    packages: [
      { id: 'basic', name: 'Basic', names: { es: 'Básico', fr: 'De base' }, services: ['urine'], isActive: true },
    ],
    clinics: [
      clinic('a', { email: 'desk@a.example', walkIns: true, slots: { minutes: 15, capacity: 2 }, isActive: true }),
    ],
    companies: [
      {
        id: 'acme',
        name: 'Acme',
        packages: ['basic'],
        branding,
        settings: { der: { name: 'Ana Ruiz', phone: '+16305550102' }, reviewer: { name: 'Dr. Bo Lind' } },
        isActive: true,
        locations: [],
      },
    ],
  }) as Record<string, unknown>
  await apply(file)
  const exported = await exportCatalog('acme', store)
  expect(exported).toEqual({ ...file, tokens: exported?.tokens })
  expect(await apply(file)).toEqual([])
  const rebranded = { ...file, tenant: { id: 'acme', name: 'Acme', branding, texts: { consent } } }
  expect(await apply(rebranded)).toEqual(['change tenants acme: branding'])
})

test('a text can be in any language by its two-letter code, and has no other members', () => {
  const problemsWith = (members: object) => {
    const parsed = parse(CatalogTexts, { consent: { version: '1', en: 'I agree.', ...members } })
    return parsed.ok ? [] : parsed.problems.map(({ code, pointer }) => [code, pointer])
  }
  expect(problemsWith({ fr: 'J’accepte.', vi: 'Tôi đồng ý.' })).toEqual([])
  expect(problemsWith({ fra: 'J’accepte.', FR: 'x' })).toEqual([
    ['unrecognizedKeys', '/consent/fra'],
    ['unrecognizedKeys', '/consent/FR'],
  ])
  expect(problemsWith({ fr: 1 })).toEqual([['invalidType', '/consent/fr']])
})

test('a catalog of production needs its own texts for background checks', async () => {
  const { store } = await database()
  const screening = { id: 'mvr', name: 'MVR', category: 'background', type: 'motorVehicleRecord', isDot: false }
  const packages = [
    { id: 'screen', name: 'Screen', services: ['mvr'] },
    { id: 'old', name: 'Old', services: ['mvr'], isActive: false },
  ]
  const given = (texts: object) => {
    const tenant = { id: 'acme', name: 'Acme', texts }
    const content = catalogFile('acme', { tenant, services: [screening], packages, companies: [], tokens: [] })
    return applyCatalogs([{ name: 'file', content }], store, { production: true })
  }
  const backgroundDisclosure = { version: '1', en: 'We may obtain a report.' }
  expect(await problemsOf(given({ backgroundDisclosure }))).toEqual(['invalidValue file#/packages/0'])
  await expect(given({ backgroundDisclosure })).rejects.toThrow('/tenant/texts/backgroundAuthorization')
  await expect(given({ backgroundDisclosure, backgroundAuthorization: backgroundDisclosure })).resolves.toHaveLength(1)
})
