import { z } from 'zod'
import { CatalogToken, tokenScopes } from '../catalog.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/catalog-examples.ts'
import { Path, text, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf } from '../resource-endpoints.ts'

const Token = z
  .object({
    id: z.string(),
    object: z.literal('token'),
    name: z.string(),
    scopes: z.array(z.string()),
    companies: z
      .array(z.string())
      .describe('Ids of the companies it is linked to. Empty for tokens of operators, which see all companies.'),
    rateLimit: z.int().min(0).nullable().describe('Requests per minute; null for the default of the service.'),
    senders: CatalogToken.shape.senders
      .unwrap()
      .nullable()
      .describe('The senders it may send for; null for any sender of its `intake.` scopes.'),
    origin: z.enum(['catalog', 'issued']).describe('Whether it comes from a catalog file or was issued.'),
    state: z
      .enum(['active', 'withoutSecret', 'expired', 'inactive', 'revoked'])
      .describe(
        '`active`; `withoutSecret` until its first secret is issued; `expired`; `inactive` if its catalog file no longer contains it; permanently `revoked`.',
      ),
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'Token' })

export type Token = z.infer<typeof Token>
export type TokenState = Token['state']

const IssuedToken = Token.extend({
  secret: z.string().describe('The secret to send with requests. It is shown only once.'),
}).meta({ id: 'IssuedToken' })

const MOST_COMPANIES = 5_000

const TokenRequest = z
  .strictObject({
    id: CatalogToken.shape.id
      .optional()
      .describe('Identifies the token, for example to revoke it. Default: a generated id.'),
    name: CatalogToken.shape.name.describe('What the token is for.'),
    scopes: tokenScopes.describe(
      'Scopes of integrators, or scopes of operators and senders of results, but not both. `all`, `operator.*` and `intake.*` stand for all scopes of a kind.',
    ),
    companies: z
      .array(CatalogToken.shape.id)
      .max(MOST_COMPANIES)
      .optional()
      .describe('Ids of the companies it is linked to. Default: all active companies. Not allowed for operators.'),
    expiresAt: CatalogToken.shape.expiresAt,
    rateLimit: CatalogToken.shape.rateLimit.describe('Requests per minute; 0 for no limit.'),
    senders: CatalogToken.shape.senders,
  })
  .meta({ id: 'TokenRequest' })

const tokens = { path: '/api/operator/v1/tokens', tag: 'Tokens', one: 'token', many: 'tokens' }
const change = { scope: 'operator.tokens.write', tag: 'Tokens' } as const

export const listTokens = listOf(tokens, {
  scope: 'operator.tokens.read',
  summary: 'List tokens, ordered by id.',
  filters: {},
  item: Token,
  example: examples.token,
})

export const readToken = readOf(tokens, {
  scope: 'operator.tokens.read',
  reply: Token,
  example: examples.token,
})

export const createToken = endpoint({
  ...change,
  method: 'POST',
  path: tokens.path,
  summary: 'Issue a token.',
  description:
    'The answer contains the secret, which is shown only once. The new token may have scopes that the requesting token lacks.',
  body: TokenRequest,
  replies: { 201: 'The token, with its secret.' },
  reply: IssuedToken,
  refusals: [409],
  example: { body: examples.tokenRequest, reply: examples.issuedToken },
})

const TokenChange = z
  .strictObject({
    name: TokenRequest.shape.name.optional(),
    scopes: TokenRequest.shape.scopes
      .optional()
      .describe('The new scopes. A token of an integrator cannot become one of an operator, nor the reverse.'),
    companies: TokenRequest.shape.companies.describe(
      'Ids of the companies it is linked to. Not allowed for operators.',
    ),
    expiresAt: z.iso.datetime({ offset: true }).nullish().describe('Null: it does not expire.'),
    rateLimit: z
      .int()
      .min(0)
      .nullish()
      .describe('Requests per minute; 0 for no limit, null for the default of the service.'),
    senders: CatalogToken.shape.senders
      .unwrap()
      .nullish()
      .describe('The senders it may send for; null for any sender of its `intake.` scopes.'),
    reason: text(1, 1000).optional().describe('Recorded in the audit log.'),
  })
  .meta({ id: 'TokenChange' })

export const editToken = endpoint({
  ...change,
  method: 'PATCH',
  path: `${tokens.path}/{id}`,
  summary: 'Change what a token may do.',
  description:
    'Members that are not sent stay as they are. The secret never changes. Takes effect immediately. Without `order.participant.read`, callbacks of the token no ' +
    'longer get the participant, even if it gets the scope back later. Tokens of catalog files are changed in their file.',
  params: idOf(tokens),
  body: TokenChange,
  replies: { 200: 'The token, changed.' },
  reply: Token,
  refusals: [422],
  example: {
    params: { id: examples.token.id },
    body: { name: 'HR system', rateLimit: 600 },
    reply: examples.token,
  },
})

export const revokeToken = endpoint({
  ...change,
  method: 'DELETE',
  path: `${tokens.path}/{id}`,
  summary: 'Revoke a token.',
  description:
    'Takes effect immediately and permanently, even for the token of the request. If the token has live callbacks, `callbacks` is required; without it, ' +
    'the answer is 400 `required` and nothing changes. A callback is live until it ends, as long as its order can still change (it is not `cancelled`, ' +
    '`expired` or `noShow`) or has waiting deliveries. Revoking twice has no further effect, except that `callbacks=end` ends remaining callbacks.',
  params: idOf(tokens),
  query: z.strictObject({
    callbacks: z
      .enum(['keep', 'end'])
      .optional()
      .describe(
        'What happens to the callbacks of the token. `keep`: they continue unchanged, including the participant in v1 deliveries (for a token that is replaced). ' +
          '`end`: they end, and waiting deliveries are not sent (for a compromised token).',
      ),
  }),
  replies: { 200: 'The token, revoked.' },
  reply: Token,
  example: { params: { id: examples.token.id }, query: { callbacks: 'keep' }, reply: examples.revokedToken },
})
