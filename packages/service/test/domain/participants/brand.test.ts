import { expect, test } from 'vitest'
import { mergeBrands } from '../../../src/domain/participants/brand.ts'

const tenant = {
  name: 'Northfold',
  branding: {
    logo: 'https://northfold.example/l.png',
    accent: '#112233',
    helpPhone: '1',
    helpEmail: 'a@northfold.example',
  },
}

test('each member of the branding that a company lacks is the tenant’s', () => {
  const company = { name: 'Acme', branding: { accent: '#33479B', helpPhone: '2' } }
  expect(mergeBrands({ company, tenant })).toEqual({
    company: 'Acme',
    tenant: 'Northfold',
    accent: '#33479B',
    answerTime: null,
    logo: 'https://northfold.example/l.png',
    privacyUrl: null,
    contacts: [
      { name: 'Acme', phone: '2', email: null },
      { name: 'Northfold', phone: null, email: 'a@northfold.example' },
    ],
  })
})

test('a company without branding has the tenant’s contact under the tenant’s name', () => {
  const { contacts } = mergeBrands({ company: { name: 'Acme', branding: null }, tenant })
  expect(contacts).toEqual([{ name: 'Northfold', phone: '1', email: 'a@northfold.example' }])
})

test('without any branding there is nothing but names', () => {
  const bare = { company: { name: 'Acme', branding: null }, tenant: { name: 'Northfold', branding: null } }
  expect(mergeBrands(bare)).toMatchObject({ logo: null, accent: null, privacyUrl: null, contacts: [] })
})
