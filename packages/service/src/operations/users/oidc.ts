import { hashSecret } from '../../domain/access/tokens.ts'
import { refuse } from '../../domain/refusal.ts'
import { CHALLENGE_MS, type User } from '../../domain/users/users.ts'
import type { Transaction } from '../../store/store.ts'
import { lockUsable, recordOwn, startSession, type Browser, type ConsoleContext, type NewSession } from './sessions.ts'

/** What the provider says about the person. */
export interface Claims {
  issuer: string
  subject: string
  email: string | undefined
  isEmailVerified: boolean
}

/** Remembers the state of a sign-in at the provider, so that its callback counts once. */
export async function beginOidc(state: string, { store, now }: ConsoleContext): Promise<void> {
  const expiresAt = new Date(now().getTime() + CHALLENGE_MS)
  await store.challenges.add(hashSecret(state), { kind: 'oidc', owner: null, expiresAt })
}

/** Whether this is the first callback with the state, in time. */
export const takeOidcState = (state: string, { store, now }: ConsoleContext): Promise<boolean> =>
  store.challenges.take(hashSecret(state), { kind: 'oidc', owner: null, now: now() })

/** Signs in who the provider has identified. Nobody is added: an operator must have invited the person. */
export async function signInWithClaims(claims: Claims, browser: Browser, context: ConsoleContext): Promise<NewSession> {
  return context.store.transaction(async (tx) => {
    const known = await tx.users.findBySubject(claims)
    const user = known
      ? await lockUsable(tx, { tenantId: known.tenantId, userId: known.id })
      : await linkByEmail(claims, tx, context)
    return startSession(user, { method: 'oidc', browser }, tx, context)
  })
}

/** The first sign-in: the verified address decides who it is, and the subject from then on. */
async function linkByEmail(
  { issuer, subject, email, isEmailVerified }: Claims,
  tx: Transaction,
  context: ConsoleContext,
): Promise<User> {
  if (email === undefined || !isEmailVerified) throw notInvited()
  const found = (await tx.users.listByEmail(email)).filter(({ isActive, isDemo }) => isActive && !isDemo)
  const [only] = found
  if (!only || found.length > 1) throw notInvited()
  const user = await lockUsable(tx, { tenantId: only.tenantId, userId: only.id })
  // Somebody else at the provider has this address now.
  if (user.oidc !== null) throw notInvited()
  const linked = { ...user, oidc: { issuer, subject } }
  await tx.users.change(linked)
  await tx.invitations.endOf({ tenantId: user.tenantId, userId: user.id })
  await recordOwn(linked, { action: 'user.linkOidc', after: { issuer } }, tx, context)
  return linked
}

const notInvited = () =>
  refuse(
    'unauthenticated',
    'The provider knows you, but nobody here has this verified e-mail address. Ask for an invitation.',
  )
