import { z } from 'zod'
import { Address } from './address.ts'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { Timestamp } from './primitives.ts'
import { CompanyReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const Company = CompanyReference.extend({
  address: Address.nullable(),
  createdAt: Timestamp,
  phone: z.string().nullable(),
}).meta({ id: 'Company' })

export type Company = z.infer<typeof Company>

export const listCompanies = endpoint({
  name: 'listCompanies',
  method: 'GET',
  path: '/api/v2/companies',
  scope: 'company.list',
  tag: 'Companies',
  summary: 'List companies.',
  description: 'The active companies linked to the token, ordered by name.',
  query: z.strictObject({ ...paging, name: filter('Part of the name, in any case.') }),
  replies: { 200: 'A page of companies.' },
  reply: collection(Company, 'CompanyCollection'),
  refusals: [400],
  example: { reply: page(examples.company) },
})

export const readCompany = endpoint({
  name: 'readCompany',
  method: 'GET',
  path: '/api/v2/companies/{id}',
  scope: 'company.read',
  tag: 'Companies',
  summary: 'Read a company.',
  params: z.strictObject({ id: resourceId('company') }),
  query: z.strictObject({}),
  replies: { 200: 'The company.' },
  reply: Company,
  refusals: [400, 404],
  example: { params: { id: examples.company.id }, reply: examples.company },
})
