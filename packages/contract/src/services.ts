import { z } from 'zod'
import { filter } from './collection.ts'
import * as examples from './openapi/examples.ts'
import { ServiceReference } from './references.ts'
import { listOf, readOf } from './resource-endpoints.ts'

export const ServiceAttributes = z
  .object({
    category: z.string().meta({ examples: ['drug', 'alcohol', 'occupationalHealth', 'background'] }),
    type: z.string().meta({ examples: ['urine', 'oralFluid', 'hair', 'breath', 'dotPhysical'] }),
  })
  .meta({ id: 'ServiceAttributes' })

export const Service = ServiceReference.extend({
  attributes: ServiceAttributes,
  isDot: z.boolean().describe('Whether the rules of the Department of Transportation (DOT) apply.'),
}).meta({ id: 'Service' })

export type Service = z.infer<typeof Service>

export const listServices = listOf({
  name: 'listServices',
  path: '/api/v2/services',
  scope: 'service.list',
  tag: 'Services',
  items: 'services',
  description: "The services of the token's tenant, ordered by name.",
  filters: { name: filter('Part of the name, case-insensitive.') },
  item: Service,
  example: examples.service,
  exampleQuery: { name: 'urine' },
})

export const readService = readOf({
  name: 'readService',
  path: '/api/v2/services/{id}',
  scope: 'service.read',
  tag: 'Services',
  what: 'service',
  reply: Service,
  example: examples.service,
})
