import type { Db } from '../db/db.ts'

export interface PasskeyRow {
  tenantId: string
  id: string
  userId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  isSynced: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

export interface Owner {
  tenantId: string
  userId: string
}

/** What a sign-in must prove to have received, and by whom it may be answered. */
export interface Challenge {
  kind: 'signIn' | 'registration' | 'oidc'
  owner: Owner | null
  expiresAt: Date
}

/** Passkeys hold public keys and random ids, which identify nobody. */
export const passkeys = (db: Db) => ({
  /** Returns false if the credential is registered already. */
  async add(passkey: PasskeyRow): Promise<boolean> {
    const { tenantId, id, userId, credentialId, publicKey, counter, transports, isSynced, createdAt } = passkey
    const count = await db.count`
      insert into passkeys (credential_id, tenant_id, id, user_id, public_key, counter, transports, is_synced, created_at)
      values (${credentialId}, ${tenantId}, ${id}, ${userId}, ${publicKey}, ${counter}, ${transports}, ${isSynced}, ${createdAt})
      on conflict do nothing`
    return count > 0
  },

  /** Locks the passkey, so that no two sign-ins compare with the same counter. */
  lock: (credentialId: Buffer) => db.first<PasskeyRow>`
      select tenant_id, id, user_id, credential_id, public_key, counter::float8 as counter, transports, is_synced, created_at,
        last_used_at
      from passkeys where credential_id = ${credentialId} for update`,

  async noteUse({ credentialId }: PasskeyRow, counter: number, at: Date): Promise<void> {
    await db`
      update passkeys set counter = ${counter}, last_used_at = ${at} where credential_id = ${credentialId}`
  },

  listOf: ({ tenantId, userId }: Owner) => db<PasskeyRow[]>`
      select tenant_id, id, user_id, credential_id, public_key, counter::float8 as counter, transports, is_synced, created_at,
        last_used_at
      from passkeys where tenant_id = ${tenantId} and user_id = ${userId} order by id`,

  async remove({ tenantId, userId }: Owner, id: string): Promise<boolean> {
    const count = await db.count`
      delete from passkeys where tenant_id = ${tenantId} and user_id = ${userId} and id = ${id}`
    return count > 0
  },
})

export const invitations = (db: Db) => ({
  /** Replaces the person's earlier invitation. */
  async put(secretHash: Buffer, { tenantId, userId }: Owner, times: { at: Date; expiresAt: Date }): Promise<void> {
    await db`
      insert into user_invitations (secret_hash, tenant_id, user_id, created_at, expires_at)
      values (${secretHash}, ${tenantId}, ${userId}, ${times.at}, ${times.expiresAt})
      on conflict (tenant_id, user_id) do update set
        secret_hash = excluded.secret_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`
  },

  findUsable: (secretHash: Buffer, now: Date) => db.first<Owner & { expiresAt: Date }>`
      select tenant_id, user_id, expires_at from user_invitations
      where secret_hash = ${secretHash} and expires_at > ${now}`,

  /** Uses an invitation up: of two requests at once, one gets it. */
  take: (secretHash: Buffer, now: Date) => db.first<Owner>`
      delete from user_invitations where secret_hash = ${secretHash} and expires_at > ${now}
      returning tenant_id, user_id`,

  async endOf({ tenantId, userId }: Owner): Promise<void> {
    await db`delete from user_invitations where tenant_id = ${tenantId} and user_id = ${userId}`
  },

  /** Deletes a batch of invitations that have expired. True if there may be more. */
  async forgetOld(now: Date): Promise<boolean> {
    const count = await db.count`
      delete from user_invitations where secret_hash in (
        select secret_hash from user_invitations where expires_at < ${now} order by expires_at limit 500 for update skip locked)`
    return count === 500
  },
})

export const challenges = (db: Db) => ({
  async add(challengeHash: Buffer, { kind, owner, expiresAt }: Challenge): Promise<void> {
    await db`
      insert into sign_in_challenges (challenge_hash, kind, tenant_id, user_id, expires_at)
      values (${challengeHash}, ${kind}, ${owner?.tenantId ?? null}, ${owner?.userId ?? null}, ${expiresAt})`
  },

  /** Uses a challenge up: of two answers at once, one counts. */
  async take(
    challengeHash: Buffer,
    { kind, owner, now }: Omit<Challenge, 'expiresAt'> & { now: Date },
  ): Promise<boolean> {
    const count = await db.count`
      delete from sign_in_challenges
      where challenge_hash = ${challengeHash} and kind = ${kind} and expires_at > ${now}
        and tenant_id is not distinct from ${owner?.tenantId ?? null}::text
        and user_id is not distinct from ${owner?.userId ?? null}::text`
    return count > 0
  },

  /** Deletes a batch of challenges that nobody answered in time. True if there may be more. */
  async forgetOld(now: Date): Promise<boolean> {
    const count = await db.count`
      delete from sign_in_challenges where challenge_hash in (
        select challenge_hash from sign_in_challenges where expires_at < ${now}
        order by expires_at limit 500 for update skip locked)`
    return count === 500
  },
})
