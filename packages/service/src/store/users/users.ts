import type { RoleId } from '@order-testing/contract/operator'
import { normaliseEmail, type OidcSubject, type User } from '../../domain/users/users.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** A person as operators see them. */
export interface UserRow extends User {
  passkeys: number
}

/** The sealed part of a person. */
export type UserContent = Pick<User, 'name' | 'email' | 'oidc'>

interface SealedRow {
  tenantId: string
  id: string
  role: RoleId
  isActive: boolean
  isDemo: boolean
  content: Buffer
  createdAt: Date
  lastSignInAt: Date | null
  passkeys: number
}

const COLUMNS = sql`
  tenant_id, id, role, is_active, is_demo, content, created_at, last_sign_in_at, (
    select count(*)::int from passkeys p where p.tenant_id = users.tenant_id and p.user_id = users.id) as passkeys`

/** People who sign in to the console. Names and addresses are sealed; they are found by keyed hashes. */
export const users = (db: Db, keyring: Keyring) => {
  const open = ({ content, ...row }: SealedRow): UserRow => ({ ...row, ...openUser(keyring, row, content) })
  const openFirst = (row: SealedRow | undefined) => row && open(row)

  return {
    async page(tenantId: string, page: PageRequest): Promise<Page<UserRow>> {
      const { rows, total } = await pageOf<SealedRow>(db, page, {
        from: sql`from users where tenant_id = ${tenantId}`,
        order: sql`id`,
        pick: COLUMNS,
      })
      return { rows: rows.map((row) => open(row)), total }
    },

    find: async (tenantId: string, id: string): Promise<UserRow | undefined> =>
      openFirst(await db.first<SealedRow>`select ${COLUMNS} from users where tenant_id = ${tenantId} and id = ${id}`),

    /** Locks the person, so that a sign-in and a deactivation follow each other. */
    lock: async (tenantId: string, id: string): Promise<UserRow | undefined> =>
      openFirst(
        await db.first<SealedRow>`select ${COLUMNS} from users where tenant_id = ${tenantId} and id = ${id} for update`,
      ),

    findByEmail: async (tenantId: string, email: string): Promise<UserRow | undefined> =>
      openFirst(
        await db.first<SealedRow>`
          select ${COLUMNS} from users where tenant_id = ${tenantId} and email_key = any(${emailKeys(keyring, email)}::bigint[])`,
      ),

    /** People of all tenants with this address. */
    async listByEmail(email: string): Promise<UserRow[]> {
      const rows = await db<SealedRow[]>`
        select ${COLUMNS} from users where email_key = any(${emailKeys(keyring, email)}::bigint[]) order by tenant_id`
      return rows.map((row) => open(row)).filter((user) => normaliseEmail(user.email) === normaliseEmail(email))
    },

    /** The person with this subject at the provider. The hash finds it, the sealed subject decides. */
    async findBySubject(subject: OidcSubject): Promise<UserRow | undefined> {
      const keys = keyring.hashes(subjectText(subject)).map(String)
      const rows = await db<SealedRow[]>`select ${COLUMNS} from users where oidc_key = any(${keys}::bigint[])`
      return rows.map((row) => open(row)).find(({ oidc }) => oidc !== null && isSame(oidc, subject))
    },

    /** Returns false if somebody of the tenant has the address. */
    async add(user: User): Promise<boolean> {
      const { tenantId, id, role, isDemo, createdAt } = user
      const count = await db.count`
        insert into users (tenant_id, id, email_key, role, is_demo, content, created_at)
        values (${tenantId}, ${id}, ${hashEmail(keyring, user.email)}, ${role}, ${isDemo}, ${sealUser(keyring, user)}, ${createdAt})
        on conflict do nothing`
      return count > 0
    },

    async change(user: User): Promise<void> {
      const { tenantId, id, role, isActive, lastSignInAt, oidc } = user
      await db`
        update users set role = ${role}, is_active = ${isActive}, last_sign_in_at = ${lastSignInAt},
          oidc_key = ${oidc && hashSubject(keyring, oidc)}, content = ${sealUser(keyring, user)}
        where tenant_id = ${tenantId} and id = ${id}`
    },

    /** The names of people, by id. */
    async namesOf(tenantId: string, ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await db<{ tenantId: string; id: string; content: Buffer }[]>`
        select tenant_id, id, content from users where tenant_id = ${tenantId} and id = any(${[...new Set(ids)]})`
      return new Map(rows.map(({ content, ...row }) => [row.id, openUser(keyring, row, content).name]))
    },
  }
}

export const sealUser = (keyring: Keyring, { tenantId, id, name, email, oidc }: UserContent & UserKey): Buffer =>
  keyring.seal(JSON.stringify({ name, email, oidc }), userContext({ tenantId, id }))

export const openUser = (keyring: Keyring, key: UserKey, content: Buffer): UserContent =>
  JSON.parse(keyring.open(content, userContext(key))) as UserContent

type UserKey = Pick<User, 'tenantId' | 'id'>

const userContext = ({ tenantId, id }: UserKey) => `user ${tenantId} ${id}`

/** Under the current key. */
export const hashEmail = (keyring: Keyring, email: string): string => keyring.hash(emailText(email)).toString()
export const hashSubject = (keyring: Keyring, subject: OidcSubject): string =>
  keyring.hash(subjectText(subject)).toString()

/** Under every key, to find rows that were hashed with an older one. */
const emailKeys = (keyring: Keyring, email: string) => keyring.hashes(emailText(email)).map(String)

/** Without the tenant, which a sign-in does not know yet. */
const emailText = (email: string) => `user email ${normaliseEmail(email)}`
const subjectText = ({ issuer, subject }: OidcSubject) => `user subject ${JSON.stringify([issuer, subject])}`

const isSame = (a: OidcSubject, b: OidcSubject) => a.issuer === b.issuer && a.subject === b.subject
