import type * as contract from '@order-testing/contract/operator'
import { hashSecret } from '../../domain/access/tokens.ts'
import { makeId } from '../../domain/ids.ts'
import { notFound, orNotFound, refuse } from '../../domain/refusal.ts'
import { scopesOfRole } from '../../domain/users/roles.ts'
import { makeSessionSecret } from '../../domain/users/secrets.ts'
import { hasEnded, lockedSince, type SessionLimits } from '../../domain/users/sessions.ts'
import type { User } from '../../domain/users/users.ts'
import type { FoundSession, SessionRow, SignInMethod } from '../../store/users/sessions.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { auditEntry, type AuditedAction } from '../audit/audit.ts'
import type { Context } from '../operation.ts'

/** What sign-ins and sessions need. */
export interface ConsoleContext extends Pick<Context, 'now' | 'random'> {
  store: Store
  production: boolean
  limits: SessionLimits
}

/** The browser that signs in. */
export interface Browser {
  userAgent: string
  address: string
  /** Hash of the session that the browser had before. The new one takes its place, so that no locked one is left over. */
  replaces?: Buffer | undefined
}

export interface NewSession {
  /** For the cookie. */
  secret: string
  session: contract.Session
}

/** Starts a session of a person whose row this transaction has locked. */
export async function startSession(
  user: User,
  { method, browser: { replaces, ...browser } }: { method: SignInMethod; browser: Browser },
  tx: Transaction,
  context: ConsoleContext,
): Promise<NewSession> {
  const { now, random, limits } = context
  const at = now()
  const secret = makeSessionSecret(random.below)
  const id = makeId('ses', at, random.bytes)
  const expiresAt = new Date(at.getTime() + limits.lifetime * 1000)
  const times = { createdAt: at, lastSeenAt: at, expiresAt, lockedAt: null }
  const row: SessionRow = { tenantId: user.tenantId, id, userId: user.id, method, ...times, ...browser }
  if (replaces) await tx.sessions.replace(replaces)
  await tx.sessions.add(hashSecret(secret), row)
  await tx.users.change({ ...user, lastSignInAt: at })
  await recordOwn(user, { action: 'session.start', after: { method, session: id } }, tx, context)
  const tenant = (await tx.catalog.tenants()).find((each) => each.id === user.tenantId)
  const { name, email, role, isDemo, tenantId } = user
  const found = { tenantId, id, userId: user.id, ...times, role, isDemo, name, email }
  return { secret, session: presentSession({ ...found, tenantName: tenant?.name ?? tenantId }, context) }
}

/** Records what a person does to the own account. */
export async function recordOwn(
  { tenantId, id, name }: User,
  action: Omit<AuditedAction, 'subject'>,
  tx: Pick<Transaction, 'audit'>,
  clock: Pick<Context, 'now' | 'random'>,
): Promise<void> {
  const caller = { tenantId, tokenId: id, user: { id, name, sessionId: '' } }
  await tx.audit.append([auditEntry({ ...action, subject: { type: 'user', id } }, { ...clock, caller })])
}

export function presentSession(found: FoundSession, { production, limits, now }: ConsoleContext): contract.Session {
  const { id, userId, name, email, tenantId, tenantName, role, expiresAt } = found
  return {
    object: 'session',
    id,
    user: { id: userId, name, email },
    tenant: { id: tenantId, name: tenantName },
    mode: production ? 'production' : 'sandbox',
    role,
    scopes: [...scopesOfRole(role)],
    expiresAt: expiresAt.toISOString(),
    idleSeconds: limits.idle,
    lockedAt: lockedSince(found, limits, now())?.toISOString() ?? null,
  }
}

export async function listSessions(
  { tenantId, userId, id }: FoundSession,
  { store, limits, now }: ConsoleContext,
): Promise<{ data: contract.SessionEntry[] }> {
  const rows = await store.sessions.listOf(tenantId, userId)
  const open = rows.filter((row) => !hasEnded(row, now()))
  const data = open.map((row) => ({
    object: 'sessionEntry' as const,
    id: row.id,
    method: row.method,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    userAgent: row.userAgent,
    address: row.address,
    isCurrent: row.id === id,
    lockedAt: lockedSince(row, limits, now())?.toISOString() ?? null,
  }))
  return { data }
}

/** Locks the own session: nothing but a new sign-in opens it. Locking twice changes nothing. */
export async function lockSession(session: FoundSession, context: ConsoleContext): Promise<contract.Session> {
  const at = context.now()
  await context.store.transaction(async (tx) => {
    const user = orNotFound(await tx.users.find(session.tenantId, session.userId))
    if (await tx.sessions.lock(session, at))
      await recordOwn(user, { action: 'session.lock', after: { session: session.id } }, tx, context)
  })
  return presentSession({ ...session, lockedAt: session.lockedAt ?? at }, context)
}

/** Ends the own sessions: one of them, or all. */
export async function endOwnSessions(
  { tenantId, userId }: FoundSession,
  sessionId: string | undefined,
  context: ConsoleContext,
): Promise<void> {
  await context.store.transaction(async (tx) => {
    const user = await tx.users.find(tenantId, userId)
    const ended = await tx.sessions.end(tenantId, userId, sessionId)
    if (!user || ended === 0) throw notFound()
    const after = sessionId === undefined ? { sessions: ended } : { session: sessionId }
    await recordOwn(user, { action: 'session.end', after }, tx, context)
  })
}

/** The person who signs in may do so: the row is locked, so that a deactivation cannot happen in between. */
export async function lockUsable(
  tx: Transaction,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<User> {
  const user = await tx.users.lock(tenantId, userId)
  if (!user?.isActive || user.isDemo) throw signInRefused()
  return user
}

/** The same text whatever was wrong, so that nobody can probe for people. */
export const signInRefused = () =>
  refuse('unauthenticated', 'The sign-in failed: it took too long, was repeated, or is not known here. Try again.')
