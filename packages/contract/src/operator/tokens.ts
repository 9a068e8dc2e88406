import { z } from 'zod'
import { CatalogToken, tokenScopes } from '../catalog.ts'
import { collection, paging } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/catalog-examples.ts'
import { FlagText, Path, text, Timestamp } from '../primitives.ts'
import { idOf, listOf, page, readOf } from '../resource-endpoints.ts'
import { AfterWrite } from '../write-position.ts'

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

const FullToken = Token.extend({
  use: z
    .object({
      since: z.iso.date().describe('The first day that is counted (UTC): 30 days ago, or when counting began.'),
      scopes: z
        .array(
          z.object({
            scope: z.string(),
            requests: z.int().min(0).describe('Requests that needed the scope, up to a few seconds ago.'),
            lastOn: z.iso.date().nullable().describe('The last day on which it was used (UTC); null if it was not.'),
          }),
        )
        .describe('Each scope of the token. Of several scopes of which a request needs one, all count.'),
    })
    .meta({ id: 'TokenUse', description: 'What the token was used for in the last 30 days.' }),
}).meta({ id: 'FullToken' })

export type FullToken = z.infer<typeof FullToken>

const TokenRequestEntry = z
  .object({
    id: z.string(),
    object: z.literal('tokenRequest'),
    at: Timestamp,
    requestId: z.string().describe('The `X-Request-Id` of the answer.'),
    method: z.string(),
    route: z.string().describe('The path with names instead of values, such as `/api/v2/orders/{id}`.'),
    status: z.int().describe('HTTP status of the answer.'),
    ms: z.int().min(0).describe('Duration in milliseconds.'),
    problems: z
      .array(z.object({ code: z.string(), pointer: z.string().nullable(), detail: z.string() }))
      .describe('Why it was refused: the first 10 errors of the answer.'),
  })
  .meta({ id: 'TokenRequestEntry', description: 'A request of a token. Addresses and bodies are not kept.' })

export type TokenRequestEntry = z.infer<typeof TokenRequestEntry>

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
  summary: 'Read a token, and what it was used for.',
  reply: FullToken,
  example: examples.fullToken,
})

export const listTokenRequests = endpoint({
  headers: AfterWrite,
  method: 'GET',
  path: `${tokens.path}/{id}/requests`,
  scope: 'operator.tokens.read',
  tag: 'Tokens',
  summary: 'List the last requests of a token, newest first.',
  description:
    'The last 100 that succeeded and the last 100 that were refused, for 7 days, up to a few seconds ago. Of many requests at the same time, some are left out.',
  params: idOf(tokens),
  query: z.strictObject({ ...paging, refused: FlagText.optional().describe('Only requests that were refused.') }),
  replies: { 200: 'A page of requests.' },
  reply: collection(TokenRequestEntry, 'TokenRequestCollection'),
  example: { params: { id: examples.token.id }, query: { refused: 'true' }, reply: page(examples.tokenLogEntry) },
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
