import { z } from 'zod'
import { filter } from './collection.ts'
import * as examples from './openapi/examples.ts'
import { openEnum } from './primitives.ts'
import { ServiceReference } from './references.ts'
import { listOf, readOf } from './resource-endpoints.ts'

export const ServiceAttributes = z
  .object({
    category: openEnum(['drug', 'alcohol', 'occupationalHealth', 'background']),
    type: openEnum(['urine', 'oralFluid', 'hair', 'breath', 'dotPhysical']),
  })
  .meta({ id: 'ServiceAttributes' })

export const Service = ServiceReference.extend({
  attributes: ServiceAttributes,
  isDot: z.boolean().describe('Whether the rules of the Department of Transportation (DOT) apply.'),
}).meta({ id: 'Service' })

export type Service = z.infer<typeof Service>

const services = { path: '/api/v2/services', tag: 'Services', one: 'service', many: 'services' }

export const listServices = listOf(services, {
  scope: 'service.list',
  description: "The services of the token's tenant, ordered by name.",
  filters: { name: filter('Part of the name, case-insensitive.') },
  item: Service,
  example: examples.service,
  exampleQuery: { name: 'urine' },
})

export const readService = readOf(services, { scope: 'service.read', reply: Service, example: examples.service })
