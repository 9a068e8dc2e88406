import { z } from 'zod'
import { collection, filter, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { ServiceReference } from './references.ts'
import { page, resourceId } from './shapes.ts'

export const ServiceAttributes = z
  .object({
    category: z.string().meta({ examples: ['drug', 'alcohol', 'occupationalHealth', 'background'] }),
    type: z.string().meta({ examples: ['urine', 'oralFluid', 'hair', 'breath', 'dotPhysical'] }),
  })
  .meta({ id: 'ServiceAttributes' })

export const Service = ServiceReference.extend({
  attributes: ServiceAttributes,
  isDot: z.boolean().meta({ description: 'Whether it is tested under the rules of the Department of Transportation.' }),
}).meta({ id: 'Service' })

export type Service = z.infer<typeof Service>

export const listServices = endpoint({
  name: 'listServices',
  method: 'GET',
  path: '/api/v2/services',
  scope: 'service.list',
  tag: 'Services',
  summary: 'List services.',
  description: "The services of the token's tenant, ordered by name.",
  query: z.strictObject({ ...paging, name: filter('Part of the name, in any case.') }),
  replies: { 200: 'A page of services.' },
  reply: collection(Service, 'ServiceCollection'),
  refusals: [400],
  example: { query: { name: 'urine' }, reply: page(examples.service) },
})

export const readService = endpoint({
  name: 'readService',
  method: 'GET',
  path: '/api/v2/services/{id}',
  scope: 'service.read',
  tag: 'Services',
  summary: 'Read a service.',
  params: z.strictObject({ id: resourceId('service') }),
  query: z.strictObject({}),
  replies: { 200: 'The service.' },
  reply: Service,
  refusals: [400, 404],
  example: { params: { id: examples.service.id }, reply: examples.service },
})
