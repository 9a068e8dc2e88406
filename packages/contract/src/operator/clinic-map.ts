import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/catalog-examples.ts'

const ClinicMap = z
  .object({
    object: z.literal('clinicMap'),
    width: z.int(),
    height: z.int(),
    states: z.string().describe('The borders of the states as path data of SVG.'),
    clinics: z
      .array(z.object({ id: z.string(), isActive: z.boolean(), x: z.number(), y: z.number() }))
      .describe('Clinics whose place is known and on the map.'),
    isMore: z.boolean().describe('Whether there are more than 5,000 clinics.'),
  })
  .meta({ id: 'ClinicMap', description: 'A map of the United States, to be drawn without other sources.' })

export const readClinicMap = endpoint({
  method: 'GET',
  path: '/api/operator/v1/catalog/map',
  scope: 'operator.catalog.read',
  tag: 'Catalog',
  summary: 'Read a map of the clinics.',
  replies: { 200: 'The map.' },
  reply: ClinicMap,
  example: { reply: examples.clinicMap },
})
