import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/result-examples.ts'
import { Path, text, Timestamp } from '../primitives.ts'
import { listOf } from '../resource-endpoints.ts'

export const CODE_ORIGINS = ['catalog', 'learned'] as const

const KnownCode = z
  .object({
    object: z.literal('laboratoryCode'),
    lab: z.string().describe('Id of the laboratory, or of the sender if its token lists no laboratories.'),
    code: z.string().describe('What the laboratory sends in OBR-4.'),
    service: z.object({ id: z.string(), name: z.string().nullable() }),
    origin: z
      .enum(CODE_ORIGINS)
      .describe(
        '`catalog`: from a catalog file. `learned`: an operator added it, or remembered it when assigning a message.',
      ),
    createdAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'KnownCode', description: 'The service that a laboratory means by a code.' })

export type KnownCode = z.infer<typeof KnownCode>

const codes = {
  path: '/api/operator/v1/laboratoryCodes',
  tag: 'Results',
  one: 'laboratory code',
  many: 'laboratory codes',
}

export const listLaboratoryCodes = listOf(codes, {
  scope: 'operator.results.read',
  filters: {
    lab: filter('Codes of this laboratory.'),
    origin: z.enum(CODE_ORIGINS).optional().describe('Codes of this origin.'),
  },
  item: KnownCode,
  example: examples.knownCode,
  exampleQuery: { origin: 'learned' },
})

const change = { scope: 'operator.results.write', tag: 'Results', path: `${codes.path}/{lab}/{code}` } as const

export const rememberLaboratoryCode = endpoint({
  ...change,
  method: 'PUT',
  summary: 'Set the service that a laboratory means by a code.',
  description:
    'Adds a code, or changes a learned one. Later messages with the code are about this service. Codes of a catalog file are changed in the file.',
  params: z.strictObject({
    lab: text(1, 255).describe('Id of the laboratory, or of the sender if its token lists no laboratories.'),
    code: text(1, 255).describe('What the laboratory sends in OBR-4.'),
  }),
  body: z
    .strictObject({ serviceId: text(1, 255).describe('Id of the service in the catalog.') })
    .meta({ id: 'KnownCodeRequest' }),
  replies: { 200: 'The code.' },
  reply: KnownCode,
  refusals: [422],
  example: {
    params: { lab: examples.knownCode.lab, code: examples.knownCode.code },
    body: { serviceId: examples.knownCode.service.id },
    reply: examples.knownCode,
  },
})

export const forgetLaboratoryCode = endpoint({
  ...change,
  method: 'DELETE',
  summary: 'Forget a learned laboratory code.',
  description:
    'Later messages with the code wait for an operator again, unless their order has only one service it can be about. ' +
    'Codes of a catalog file are removed in the file.',
  params: z.strictObject({
    lab: z.string().describe('The laboratory, as listed.'),
    code: z.string().describe('The code, as listed.'),
  }),
  replies: { 200: 'The code that was forgotten.' },
  reply: KnownCode,
  refusals: [422],
  example: { params: { lab: examples.knownCode.lab, code: examples.knownCode.code }, reply: examples.knownCode },
})
