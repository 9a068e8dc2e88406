import { z } from 'zod'
import { CatalogToken, tokenScopes } from '../catalog.ts'
import { endpoint } from '../endpoint.ts'
import { Path, Timestamp } from '../primitives.ts'
import { listOf, readOf, resourceId } from '../resource-endpoints.ts'
import * as examples from '../openapi/operator-examples.ts'

export const TOKEN_STATES = ['active', 'withoutSecret', 'expired', 'inactive', 'revoked'] as const
export type TokenState = (typeof TOKEN_STATES)[number]

const Token = z
  .object({
    id: z.string(),
    object: z.literal('token'),
    name: z.string(),
    scopes: z.array(z.string()),
    companies: z.array(z.string()).meta({
      description: 'Ids of the companies it is linked to. Empty for tokens of operators, which see all of them.',
    }),
    rateLimit: z.int().min(0).nullable().meta({ description: 'Requests a minute; null leaves it to the service.' }),
    senders: CatalogToken.shape.senders.unwrap().nullable().meta({
      description: 'The senders it may speak for; null for any sender of its `intake.` scopes.',
    }),
    origin: z.enum(['catalog', 'issued']).meta({ description: 'Whether a catalog file names it.' }),
    state: z.enum(TOKEN_STATES).meta({
      description:
        '`active`; `withoutSecret` until its first one is issued; `expired`; `inactive` when its file no longer names it; `revoked` for good.',
    }),
    expiresAt: Timestamp.nullable(),
    revokedAt: Timestamp.nullable(),
    lastUsedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'Token' })

export type Token = z.infer<typeof Token>

const IssuedToken = Token.extend({
  secret: z.string().meta({ description: 'What requests carry. It is shown this once and cannot be read again.' }),
}).meta({ id: 'IssuedToken' })

/** Companies that one request may link to a token. */
const MOST_COMPANIES = 5_000

const TokenRequest = z
  .strictObject({
    id: CatalogToken.shape.id.optional().meta({ description: 'To revoke it by; made up where nothing is said.' }),
    name: CatalogToken.shape.name.meta({ description: 'What it is for.' }),
    scopes: tokenScopes.meta({
      description:
        'Those of integrators, or those of operators and of senders of results: never both. `all`, `operator.*` and `intake.*` stand for all of a kind.',
    }),
    companies: z.array(CatalogToken.shape.id).max(MOST_COMPANIES).optional().meta({
      description: 'Ids of the companies it is linked to; all active ones where nothing is said. Not for operators.',
    }),
    expiresAt: CatalogToken.shape.expiresAt,
    rateLimit: CatalogToken.shape.rateLimit.meta({ description: 'Requests a minute; 0 is no limit.' }),
    senders: CatalogToken.shape.senders,
  })
  .meta({ id: 'TokenRequest' })

const tag = 'Tokens'
const base = '/api/operator/v1/tokens'
const params = z.strictObject({ id: resourceId('token') })

export const listTokens = listOf({
  name: 'listTokens',
  path: base,
  scope: 'operator.tokens.read',
  tag,
  summary: 'List tokens by id.',
  items: 'tokens',
  item: Token,
  example: examples.token,
})

export const readToken = readOf({
  name: 'readToken',
  path: `${base}/{id}`,
  scope: 'operator.tokens.read',
  tag,
  summary: 'Read one token.',
  what: 'token',
  reply: Token,
  example: examples.token,
})

export const createToken = endpoint({
  name: 'createToken',
  method: 'POST',
  path: base,
  scope: 'operator.tokens.write',
  tag,
  summary: 'Issue a token.',
  description: 'The answer has its secret, this once. A token may be given scopes that the one asking does not have.',
  body: TokenRequest,
  replies: { 201: 'The token, with its secret.' },
  reply: IssuedToken,
  refusals: [400, 409, 413, 415],
  example: { body: examples.tokenRequest, reply: examples.issuedToken },
})

export const revokeToken = endpoint({
  name: 'revokeToken',
  method: 'DELETE',
  path: `${base}/{id}`,
  scope: 'operator.tokens.write',
  tag,
  summary: 'Revoke a token.',
  description:
    'At once and for good, also the one that asks. A token with live callbacks is revoked only with `callbacks`: else the answer is 400 `required`, and ' +
    'nothing is changed. A callback is live until it ends, as long as its order can still change (it is not `cancelled`, `expired` or `noShow`) or deliveries ' +
    'to it wait. Revoking twice changes nothing, but `callbacks=end` also ends the callbacks of a token that was revoked before.',
  params,
  query: z.strictObject({
    callbacks: z
      .enum(['keep', 'end'])
      .optional()
      .meta({
        description:
          'What becomes of the callbacks of the token. `keep`: they go on as registered, with the participant in v1 deliveries where the token could read it ' +
          '(for a token that is replaced). `end`: they end, and deliveries that wait are not sent (for a token that got into wrong hands).',
      }),
  }),
  replies: { 200: 'The token, revoked.' },
  reply: Token,
  refusals: [400, 404],
  example: { params: { id: examples.token.id }, query: { callbacks: 'keep' }, reply: examples.revokedToken },
})
