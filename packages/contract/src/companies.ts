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

export const listCompanies = listOf({
  name: 'listCompanies',
  path: '/api/v2/companies',
  scope: 'company.list',
  tag: 'Companies',
  items: 'companies',
  description: 'The active companies linked to the token, ordered by name.',
  filters: { name: filter('Part of the name, case-insensitive.') },
  item: Company,
  example: examples.company,
})

export const readCompany = readOf({
  name: 'readCompany',
  path: '/api/v2/companies/{id}',
  scope: 'company.read',
  tag: 'Companies',
  what: 'company',
  reply: Company,
  example: examples.company,
})
