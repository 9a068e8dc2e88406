import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { openEnum, Path, Timestamp } from './primitives.ts'
import { CompanyReference } from './references.ts'
import { ALL_SCOPES } from './scopes.ts'

export const Token = z
  .object({
    id: z.string(),
    object: z.literal('token'),
    url: Path,
    name: z.string(),
    mode: z
      .enum(['sandbox', 'production'])
      .describe(
        '`sandbox` for test data: orders can be simulated, and no mail leaves it unless the operator wants that.',
      ),
    scopes: z.array(openEnum(ALL_SCOPES)).describe('What the token may do.'),
    companies: z.array(CompanyReference).describe('The active companies that the token is linked to.'),
    rateLimit: z.int().min(0).nullable().describe('Requests per minute; null if there is no limit.'),
    expiresAt: Timestamp.nullable().describe('Null if the token does not expire.'),
  })
  .meta({ id: 'Token' })

export type Token = z.infer<typeof Token>

export const readToken = endpoint({
  method: 'GET',
  path: '/api/v2/token',
  scope: [],
  tag: 'Token',
  summary: 'Read the token of this request.',
  description: 'Use it to check a token and to see what it may do. Every valid token may read itself.',
  replies: { 200: 'The token.' },
  reply: Token,
  example: { reply: examples.token },
})
