import { z } from 'zod'
import { Address } from './address.ts'
import { filter } from './collection.ts'
import * as examples from './openapi/examples.ts'
import { Timestamp } from './primitives.ts'
import { CompanyReference } from './references.ts'
import { listOf, readOf } from './resource-endpoints.ts'

export const Company = CompanyReference.extend({
  address: Address.nullable(),
  createdAt: Timestamp,
  phone: z.string().nullable(),
}).meta({ id: 'Company' })

export type Company = z.infer<typeof Company>

const companies = { path: '/api/v2/companies', tag: 'Companies', one: 'company', many: 'companies' }

export const listCompanies = listOf(companies, {
  scope: 'company.list',
  description: 'The active companies linked to the token, ordered by name.',
  filters: { name: filter('Part of the name, case-insensitive.') },
  item: Company,
  example: examples.company,
})

export const readCompany = readOf(companies, { scope: 'company.read', reply: Company, example: examples.company })
