import { z } from 'zod'
import { filter } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { AgencyReference, JobCategoryReference } from './references.ts'
import { listOf, readOf, resourceId } from './resource-endpoints.ts'

export const Agency = AgencyReference.extend({
  name: z.string(),
  regulation: z.string().describe('The part of the Code of Federal Regulations that governs its tests.'),
  jobCategories: z.array(JobCategoryReference).describe('The job categories that it publishes.'),
}).meta({ id: 'Agency' })

export type Agency = z.infer<typeof Agency>

const JobCategory = JobCategoryReference.extend({
  agency: AgencyReference.describe('The agency that publishes it.'),
}).meta({ id: 'JobCategory' })

const agencies = { path: '/api/v2/agencies', tag: 'Agencies', one: 'agency', many: 'agencies' }

export const listAgencies = listOf(agencies, {
  scope: 'agency.list',
  description: 'The transport agencies that orders can be placed under, ordered by name, with their job categories.',
  filters: { name: filter('Part of the name, case-insensitive.'), code: filter('The code, case-insensitive.') },
  item: Agency,
  example: examples.agency,
})

export const readAgency = readOf(agencies, { scope: 'agency.read', reply: Agency, example: examples.agency })

export const readJobCategory = endpoint({
  method: 'GET',
  path: '/api/v2/agencies/{agencyId}/jobCategories/{id}',
  scope: 'agency.jobCategories.read',
  tag: 'Agencies',
  summary: 'Read a job category.',
  params: z.strictObject({ agencyId: resourceId('agency'), id: resourceId('job category') }),
  replies: { 200: 'The job category, with the agency that publishes it.' },
  reply: JobCategory,
  example: { params: { agencyId: examples.agency.id, id: examples.jobCategory.id }, reply: examples.jobCategory },
})
