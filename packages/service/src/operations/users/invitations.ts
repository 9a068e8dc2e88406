import type * as contract from '@order-testing/contract/operator'
import { hashSecret } from '../../domain/access/tokens.ts'
import { notFound, orNotFound } from '../../domain/refusal.ts'
import { isInvitationSecret } from '../../domain/users/secrets.ts'
import { lockUsable, startSession, type Browser, type ConsoleContext, type NewSession } from './sessions.ts'
import {
  registerPasskey,
  registrationOptions,
  takeRegistration,
  type Registration,
  type RelyingParty,
} from './passkeys.ts'

/** The invitation of a link that still works. */
async function findInvitation(secret: string, { store, now }: ConsoleContext) {
  if (!isInvitationSecret(secret)) throw notFound()
  const { expiresAt, ...owner } = orNotFound(await store.invitations.findUsable(hashSecret(secret), now()))
  const user = orNotFound(await store.users.find(owner.tenantId, owner.userId))
  if (!user.isActive) throw notFound()
  return { user, expiresAt }
}

export async function readInvitation(secret: string, context: ConsoleContext): Promise<contract.Invitation> {
  const { user, expiresAt } = await findInvitation(secret, context)
  const tenants = await context.store.catalog.tenants()
  return {
    object: 'invitation',
    email: user.email,
    name: user.name,
    tenantName: tenants.find(({ id }) => id === user.tenantId)?.name ?? user.tenantId,
    role: user.role,
    expiresAt: expiresAt.toISOString(),
  }
}

export async function invitationOptions(secret: string, party: RelyingParty, context: ConsoleContext) {
  const { user } = await findInvitation(secret, context)
  return registrationOptions(user, party, context)
}

/** Registers a passkey of the invited person and signs in. The invitation is used up only if that succeeds. */
export async function acceptInvitation(
  secret: string,
  { browser, ...registration }: Registration & { browser: Browser },
  context: ConsoleContext,
): Promise<NewSession> {
  const { user: invited } = await findInvitation(secret, context)
  const owner = { tenantId: invited.tenantId, userId: invited.id }
  const challenge = await takeRegistration(registration, owner, context)
  return context.store.transaction(async (tx) => {
    // The person first, as everywhere, so that no two transactions wait for each other.
    const user = await lockUsable(tx, owner)
    orNotFound(await tx.invitations.take(hashSecret(secret), context.now()))
    await registerPasskey(user, { ...registration, challenge }, tx, context)
    return startSession(user, { method: 'passkey', browser }, tx, context)
  })
}
