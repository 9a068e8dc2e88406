import type * as contract from '@order-testing/contract/operator'
import { hashSecret } from '../../domain/access/tokens.ts'
import { makeId } from '../../domain/ids.ts'
import { notFound, orNotFound, refuse } from '../../domain/refusal.ts'
import { isFresh } from '../../domain/users/sessions.ts'
import { CHALLENGE_MS, type User } from '../../domain/users/users.ts'
import type { Challenge, Owner, PasskeyRow } from '../../store/users/credentials.ts'
import type { FoundSession } from '../../store/users/sessions.ts'
import type { Transaction } from '../../store/store.ts'
import {
  lockUsable,
  recordOwn,
  signInRefused,
  startSession,
  type Browser,
  type ConsoleContext,
  type NewSession,
} from './sessions.ts'

/** Who asks for passkeys: browsers bind them to this host. */
export interface RelyingParty {
  id: string
  name: string
  origin: string
}

/** Loaded at the first use: it has many parts, and most processes serve no sign-in for hours. */
const webAuthn = () => import('@simplewebauthn/server')
type WebAuthn = Awaited<ReturnType<typeof webAuthn>>

const CHALLENGE_BYTES = 32

/** A person has few devices; more would only fill the list. */
const MOST_PASSKEYS = 20

/** The options of a sign-in. They name no credentials: the browser offers those it has for this host. */
export async function passkeySignInOptions(party: RelyingParty, context: ConsoleContext) {
  const challenge = await makeChallenge({ kind: 'signIn', owner: null }, context)
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
  })
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  response: contract.PasskeyAssertion,
  { party, browser }: { party: RelyingParty; browser: Browser },
  context: ConsoleContext,
): Promise<NewSession> {
  const challenge = await takeChallenge(response, { kind: 'signIn', owner: null }, context)
  return context.store.transaction(async (tx) => {
    const passkey = await tx.passkeys.lock(Buffer.from(response.id, 'base64url'))
    if (!passkey) throw signInRefused()
    const counter = await verifyAssertion(response, passkey, { party, challenge })
    const user = await lockUsable(tx, passkey)
    await tx.passkeys.noteUse(passkey, counter, context.now())
    return startSession(user, { method: 'passkey', browser }, tx, context)
  })
}

/** Checks the answer and returns the new counter. A counter that does not grow means that the authenticator was copied. */
async function verifyAssertion(
  response: contract.PasskeyAssertion,
  passkey: PasskeyRow,
  { party, challenge }: { party: RelyingParty; challenge: string },
): Promise<number> {
  try {
    const { verifyAuthenticationResponse } = await webAuthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<WebAuthn['verifyAuthenticationResponse']>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: response.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    })
    if (!verified) throw signInRefused()
    return authenticationInfo.newCounter
  } catch {
    // The library says what was wrong; the caller need not know.
    throw signInRefused()
  }
}

/** The options for registering a passkey of a person. Devices that have one already are not offered. */
export async function registrationOptions(user: User, party: RelyingParty, context: ConsoleContext) {
  const owner = { tenantId: user.tenantId, userId: user.id }
  const known = await context.store.passkeys.listOf(owner)
  if (known.length >= MOST_PASSKEYS)
    throw refuse('invalidState', `There are ${MOST_PASSKEYS} passkeys already. Remove one first.`)
  const challenge = await makeChallenge({ kind: 'registration', owner }, context)
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

export interface Registration {
  response: contract.PasskeyRegistration
  party: RelyingParty
}

/** Uses up the challenge that a registration answers, whether the rest of it is right or not. */
export const takeRegistration = ({ response }: Registration, owner: Owner, context: ConsoleContext): Promise<string> =>
  takeChallenge(response, { kind: 'registration', owner }, context)

/** Registers a passkey of a person whose row the transaction has locked. The challenge was taken before. */
export async function registerPasskey(
  user: User,
  registration: Registration & { challenge: string },
  tx: Transaction,
  context: ConsoleContext,
): Promise<PasskeyRow> {
  const credential = await verifyRegistration(registration)
  const at = context.now()
  const passkey: PasskeyRow = {
    ...credential,
    tenantId: user.tenantId,
    id: makeId('psk', at, context.random.bytes),
    userId: user.id,
    createdAt: at,
    lastUsedAt: null,
  }
  if (!(await tx.passkeys.add(passkey))) throw refuse('conflict', 'This passkey is registered already.')
  const { id, isSynced } = passkey
  await recordOwn(user, { action: 'passkey.add', after: { passkey: id, isSynced } }, tx, context)
  return passkey
}

async function verifyRegistration({
  response,
  party,
  challenge,
}: Registration & { challenge: string }): Promise<
  Pick<PasskeyRow, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'>
> {
  try {
    const { verifyRegistrationResponse } = await webAuthn()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<WebAuthn['verifyRegistrationResponse']>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    })
    if (!verified) throw signInRefused()
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports ?? [],
      isSynced: credentialBackedUp,
    }
  } catch {
    throw signInRefused()
  }
}

export async function listPasskeys({ tenantId, userId }: FoundSession, { store }: ConsoleContext) {
  const rows = await store.passkeys.listOf({ tenantId, userId })
  return { data: rows.map((row) => presentPasskey(row)) }
}

/** The options for a further passkey of the person who signed in a moment ago. */
export async function ownRegistrationOptions(session: FoundSession, party: RelyingParty, context: ConsoleContext) {
  const user = orNotFound(await context.store.users.find(session.tenantId, session.userId))
  if (user.isDemo) throw refuse('invalidState', NO_DEMO_PASSKEYS)
  refuseStale(session, context)
  return registrationOptions(user, party, context)
}

const NO_DEMO_PASSKEYS = 'The demo operator has no passkeys. Invite yourself under People to have one.'

/** A passkey outlives the session, so the person has to prove once more who they are. */
function refuseStale(session: FoundSession, { now }: ConsoleContext): void {
  if (!isFresh(session, now()))
    throw refuse('invalidState', 'Sign in again to add a passkey: the last sign-in is too long ago.', '/session')
}

/** Registers a further passkey of the person who signed in a moment ago. */
export async function addPasskey(
  session: FoundSession,
  registration: Registration,
  context: ConsoleContext,
): Promise<contract.Passkey> {
  refuseStale(session, context)
  const { tenantId, userId } = session
  const challenge = await takeRegistration(registration, { tenantId, userId }, context)
  return context.store.transaction(async (tx) => {
    const user = await lockUsable(tx, session)
    return presentPasskey(await registerPasskey(user, { ...registration, challenge }, tx, context))
  })
}

/** Removes a passkey of the person who is signed in, but not the last way to sign in. */
export async function removePasskey(session: FoundSession, id: string, context: ConsoleContext): Promise<void> {
  await context.store.transaction(async (tx) => {
    const user = orNotFound(await tx.users.lock(session.tenantId, session.userId))
    const known = await tx.passkeys.listOf(session)
    if (known.length === 1 && known[0]!.id === id && user.oidc === null)
      throw refuse('invalidState', 'This is your only way to sign in. Add another passkey first.')
    if (!(await tx.passkeys.remove(session, id))) throw notFound()
    await recordOwn(user, { action: 'passkey.remove', before: { passkey: id } }, tx, context)
  })
}

const presentPasskey = ({ id, createdAt, lastUsedAt, isSynced }: PasskeyRow): contract.Passkey => ({
  object: 'passkey',
  id,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
  isSynced,
})

interface Expected {
  kind: Challenge['kind']
  owner: Owner | null
}

async function makeChallenge(expected: Expected, { store, random, now }: ConsoleContext) {
  const bytes = random.bytes(CHALLENGE_BYTES)
  const expiresAt = new Date(now().getTime() + CHALLENGE_MS)
  await store.challenges.add(hashSecret(bytes.toString('base64url')), { ...expected, expiresAt })
  return new Uint8Array(bytes)
}

/** Returns the challenge of an answer if it is open. Runs before the transaction, so that it counts once in any case. */
async function takeChallenge(
  { response }: { response: { clientDataJSON: string } },
  expected: Expected,
  { store, now }: ConsoleContext,
): Promise<string> {
  const challenge = readChallenge(response.clientDataJSON)
  const isOpen =
    challenge !== undefined && (await store.challenges.take(hashSecret(challenge), { ...expected, now: now() }))
  if (!isOpen) throw signInRefused()
  return challenge
}

function readChallenge(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
