import { z } from 'zod'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { AgencyReference, JobCategoryReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const Agency = AgencyReference.extend({
  name: z.string(),
  regulation: z.string().meta({ description: 'The part of the Code of Federal Regulations it tests under.' }),
  jobCategories: z.array(JobCategoryReference).meta({ description: 'The job categories it publishes.' }),
}).meta({ id: 'Agency' })

export type Agency = z.infer<typeof Agency>

export const JobCategory = JobCategoryReference.extend({
  agency: AgencyReference.meta({ description: 'The agency that publishes it.' }),
}).meta({ id: 'JobCategory' })

export type JobCategory = z.infer<typeof JobCategory>

export const listAgencies = endpoint({
  name: 'listAgencies',
  method: 'GET',
  path: '/api/v2/agencies',
  scope: 'agency.list',
  tag: 'Agencies',
  summary: 'List agencies.',
  description:
    'The transport agencies an order can be placed under, ordered by name, with the job categories they publish.',
  query: z.strictObject({
    ...paging,
    name: filter('Part of the name, in any case.'),
    code: filter('The code, in any case.'),
  }),
  replies: { 200: 'A page of agencies.' },
  reply: collection(Agency, 'AgencyCollection'),
  refusals: [400],
  example: { reply: page(examples.agency) },
})

export const readAgency = endpoint({
  name: 'readAgency',
  method: 'GET',
  path: '/api/v2/agencies/{id}',
  scope: 'agency.read',
  tag: 'Agencies',
  summary: 'Read an agency.',
  params: z.strictObject({ id: resourceId('agency') }),
  query: z.strictObject({}),
  replies: { 200: 'The agency.' },
  reply: Agency,
  refusals: [400, 404],
  example: { params: { id: examples.agency.id }, reply: examples.agency },
})

export const readJobCategory = endpoint({
  name: 'readJobCategory',
  method: 'GET',
  path: '/api/v2/agencies/{agencyId}/jobCategories/{id}',
  scope: 'agency.jobCategories.read',
  tag: 'Agencies',
  summary: 'Read a job category.',
  params: z.strictObject({ agencyId: resourceId('agency'), id: resourceId('job category') }),
  query: z.strictObject({}),
  replies: { 200: 'The job category, with the agency that publishes it.' },
  reply: JobCategory,
  refusals: [400, 404],
  example: { params: { agencyId: examples.agency.id, id: examples.jobCategory.id }, reply: examples.jobCategory },
})
