import { z } from 'zod'
import { text, Timestamp } from '../primitives.ts'
import { ROLES } from './users.ts'

/** The session interface of the console: JSON with a cookie, not part of the documented APIs. */
export const CONSOLE_API = '/api/console/v1'

/** The cookie of a session. */
export const SESSION_COOKIE = 'ots_session'

/** The header that every request of the console carries; other sites cannot make a browser send it. */
export const CONSOLE_HEADER = 'x-console'

/** Requests with this header, such as those for live counts, do not count as use of a session. */
export const BACKGROUND_HEADER = 'x-background'

const SignInOptions = z.object({
  object: z.literal('signInOptions'),
  tenantName: z.string(),
  mode: z.enum(['sandbox', 'production']),
  hasPasskeys: z.boolean(),
  oidc: z.object({ name: z.string() }).nullable(),
  hasDemo: z.boolean().describe('Whether the demo operator of a sandbox can sign in with one click.'),
})

export type SignInOptions = z.infer<typeof SignInOptions>

const Session = z.object({
  object: z.literal('session'),
  id: z.string(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  tenant: z.object({ id: z.string(), name: z.string() }),
  mode: z.enum(['sandbox', 'production']),
  role: z.enum(ROLES),
  scopes: z.array(z.string()),
  expiresAt: Timestamp.describe('When the session ends, however much it is used.'),
  idleSeconds: z.int().describe('After this time without a request the session is locked.'),
  lockedAt: Timestamp.nullable().describe('Since when the session is locked. Only a new sign-in opens it.'),
})

export type Session = z.infer<typeof Session>

const SessionEntry = z.object({
  object: z.literal('sessionEntry'),
  id: z.string(),
  method: z.enum(['passkey', 'oidc', 'demo']),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  userAgent: z.string(),
  address: z.string(),
  isCurrent: z.boolean(),
  lockedAt: Timestamp.nullable(),
})

export type SessionEntry = z.infer<typeof SessionEntry>

const Passkey = z.object({
  object: z.literal('passkey'),
  id: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.nullable(),
  isSynced: z.boolean().describe('Whether its provider keeps a copy, so that it outlives the device.'),
})

export type Passkey = z.infer<typeof Passkey>

const Invitation = z.object({
  object: z.literal('invitation'),
  email: z.string(),
  name: z.string(),
  tenantName: z.string(),
  role: z.enum(ROLES),
  expiresAt: Timestamp,
})

export type Invitation = z.infer<typeof Invitation>

/** Base64url, as WebAuthn sends bytes in JSON. */
const bytes = z
  .string()
  .regex(/^[\w-]*$/)
  .max(16_384)

const credential = {
  id: bytes.min(1).max(1_400),
  rawId: bytes.min(1).max(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
}

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.create`. */
export const PasskeyRegistration = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(text(1, 32)).max(10).optional(),
  }),
})

export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.get`. */
export const PasskeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish(),
  }),
})

export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>
