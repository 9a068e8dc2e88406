import type { RoleId } from '@order-testing/contract/operator'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openUser } from './users.ts'

export type SignInMethod = 'passkey' | 'oidc' | 'demo'

export interface SessionRow {
  tenantId: string
  id: string
  userId: string
  method: SignInMethod
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
  lockedAt: Date | null
  userAgent: string
  address: string
}

/** A session with what authentication needs of its person. */
export interface FoundSession extends Pick<
  SessionRow,
  'tenantId' | 'id' | 'userId' | 'createdAt' | 'lastSeenAt' | 'expiresAt' | 'lockedAt'
> {
  role: RoleId
  isDemo: boolean
  name: string
  email: string
  tenantName: string
}

type SealedSession = Omit<SessionRow, 'userAgent' | 'address'> & { content: Buffer }

/** Sessions of people. A session that ended is deleted, so that it counts nowhere from then on. */
export const sessions = (db: Db, keyring: Keyring) => ({
  async add(secretHash: Buffer, session: SessionRow): Promise<void> {
    const { tenantId, id, userId, method, createdAt, lastSeenAt, expiresAt, userAgent, address } = session
    const content = keyring.seal(JSON.stringify({ userAgent, address }), sessionContext(session))
    await db`
      insert into user_sessions (secret_hash, tenant_id, id, user_id, method, content, created_at, last_seen_at, expires_at)
      values (${secretHash}, ${tenantId}, ${id}, ${userId}, ${method}, ${content}, ${createdAt}, ${lastSeenAt}, ${expiresAt})`
  },

  /** The session of a secret, unless its person was deactivated. The caller judges its times. */
  async findUsable(secretHash: Buffer): Promise<FoundSession | undefined> {
    const row = await db.first<Omit<FoundSession, 'name' | 'email'> & { content: Buffer }>`
      select s.tenant_id, s.id, s.user_id, s.created_at, s.last_seen_at, s.expires_at, s.locked_at,
        u.role, u.is_demo, u.content, t.name as tenant_name
      from user_sessions s
      join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
      join tenants t on t.id = s.tenant_id
      where s.secret_hash = ${secretHash} and u.is_active`
    if (!row) return undefined
    const { content, ...found } = row
    const { name, email } = openUser(keyring, { tenantId: found.tenantId, id: found.userId }, content)
    return { ...found, name, email }
  },

  /** Notes the use of a session. A locked row is being used or ended by somebody else, so nobody waits for it. */
  async noteUse({ tenantId, id }: SessionKey, at: Date): Promise<void> {
    await db`
      update user_sessions set last_seen_at = greatest(last_seen_at, ${at}) where secret_hash in (
        select secret_hash from user_sessions where tenant_id = ${tenantId} and id = ${id} for update skip locked)`
  },

  /** Locks an open session; true if it was open. */
  lock: ({ tenantId, id }: SessionKey, at: Date): Promise<boolean> =>
    db.count`
      update user_sessions set locked_at = ${at} where tenant_id = ${tenantId} and id = ${id} and locked_at is null`.then(
      (count) => count > 0,
    ),

  /** Deletes the session that another one takes the place of in the same browser. */
  async replace(secretHash: Buffer): Promise<void> {
    await db`delete from user_sessions where secret_hash = ${secretHash}`
  },

  /** Newest first. */
  async listOf(tenantId: string, userId: string): Promise<SessionRow[]> {
    const rows = await db<SealedSession[]>`
      select tenant_id, id, user_id, method, content, created_at, last_seen_at, expires_at, locked_at from user_sessions
      where tenant_id = ${tenantId} and user_id = ${userId} order by id desc`
    return rows.map(({ content, ...row }) => ({
      ...row,
      ...(JSON.parse(keyring.open(content, sessionContext(row))) as Pick<SessionRow, 'userAgent' | 'address'>),
    }))
  },

  /** Ends one session of a person, or all; returns how many there were. */
  end: (tenantId: string, userId: string, id?: string) => db.count`
      delete from user_sessions where tenant_id = ${tenantId} and user_id = ${userId}
        ${id === undefined ? sql`` : sql`and id = ${id}`}`,

  /** Deletes a batch of sessions that have expired. True if there may be more. */
  async forgetOld(now: Date): Promise<boolean> {
    const count = await db.count`
      delete from user_sessions where secret_hash in (
        select secret_hash from user_sessions where expires_at < ${now} order by expires_at limit 500 for update skip locked)`
    return count === 500
  },
})

type SessionKey = Pick<SessionRow, 'tenantId' | 'id'>

export const sessionContext = ({ tenantId, id }: SessionKey) => `session ${tenantId} ${id}`
