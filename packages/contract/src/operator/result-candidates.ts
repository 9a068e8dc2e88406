import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/result-examples.ts'
import { Order } from '../orders.ts'
import { idOf } from '../resource-endpoints.ts'

const COMPARED = ['orderCode', 'specimenId', 'lastName', 'birthDate', 'firstName', 'panel', 'laboratory'] as const

const ResultCandidate = z
  .object({
    object: z.literal('resultCandidate'),
    rank: z.int().min(1),
    serviceId: z.string().describe('Id of the order service, to assign the message to.'),
    score: z.int().min(0).max(100).describe('How much of what message and service both have agrees.'),
    agrees: z.array(z.enum(COMPARED)),
    differs: z.array(z.enum(COMPARED)),
    order: Order.describe(
      'The participant has only the first name and the initial of the last name. Absent for tokens without `operator.participants.read`.',
    ),
  })
  .meta({ id: 'ResultCandidate' })

export type ResultCandidate = z.infer<typeof ResultCandidate>

export const readCandidates = endpoint({
  method: 'GET',
  path: '/api/operator/v1/results/{id}/candidates',
  scope: 'operator.results.read',
  tag: 'Results',
  summary: 'List the services that a message may be about, best first.',
  description:
    'Services of the orders that the message refers to and, for tokens with `operator.participants.read`, of people with the same birth ' +
    'date or names. At most ten. Empty for a message that was not understood.',
  params: idOf({ one: 'message' }),
  query: z.strictObject({
    order: filter(
      'Compare only with the order of this id or code, or with orders whose specimen number begins like this.',
    ),
  }),
  replies: { 200: 'The candidates.' },
  reply: z
    .object({ object: z.literal('resultCandidates'), resultId: z.string(), data: z.array(ResultCandidate) })
    .meta({ id: 'ResultCandidates' }),
  example: { params: { id: examples.result.id }, reply: examples.resultCandidates },
})
