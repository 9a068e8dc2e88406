import type * as contract from '@order-testing/contract/operator'
import { hashSecret } from '../../domain/access/tokens.ts'
import { makeId } from '../../domain/ids.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import { roles } from '../../domain/users/roles.ts'
import { makeInvitationSecret } from '../../domain/users/secrets.ts'
import { changeUser, INVITATION_MS, type User } from '../../domain/users/users.ts'
import type { Transaction } from '../../store/store.ts'
import type { UserRow } from '../../store/users/users.ts'
import { auditEntry } from '../audit/audit.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'

export const listUsers: Operation<typeof contract.listUsers> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.users.page(caller.tenantId, query), query, presentUser))

export const readUser: Operation<typeof contract.readUser> = async ({ params }, { caller, store }) =>
  ok(presentUser(orNotFound(await store.users.find(caller.tenantId, params.id))))

export const listRoles: Operation<typeof contract.listRoles> = async ({ query }) => {
  const { limit, page } = query
  const rows = roles.slice((page - 1) * limit, page * limit)
  return ok(
    collectionOf({ rows, total: roles.length }, query, ({ scopes, ...role }) => ({
      ...role,
      object: 'role' as const,
      scopes: [...scopes],
    })),
  )
}

export const inviteUser: Operation<typeof contract.inviteUser> = async ({ body }, context) => {
  const { caller, store, now, random } = context
  const origin = originOf(context)
  const createdAt = now()
  const fresh = { isActive: true, isDemo: false, oidc: null, lastSignInAt: null, createdAt }
  const user = { tenantId: caller.tenantId, id: makeId('usr', createdAt, random.bytes), ...body, ...fresh }
  const invitation = await store.transaction(async (tx) => {
    if ((await tx.users.findByEmail(user.tenantId, user.email)) || !(await tx.users.add(user)))
      throw refuse('conflict', 'Somebody with this e-mail address was invited already.', '/email')
    await record('user.invite', user, { after: auditedPart(user) }, tx, context)
    return invite(user, tx, context)
  })
  return { status: 201, body: await presentInvited({ ...user, passkeys: 0 }, { ...invitation, origin }, context) }
}

export const reinviteUser: Operation<typeof contract.reinviteUser> = async ({ params }, context) => {
  const origin = originOf(context)
  const { user, ...invitation } = await context.store.transaction(async (tx) => {
    const locked = orNotFound(await tx.users.lock(context.caller.tenantId, params.id))
    if (!locked.isActive || locked.isDemo)
      throw refuse('invalidState', 'Only people who may sign in can be invited. Set isActive to true first.')
    await record('user.invite', locked, { after: auditedPart(locked) }, tx, context)
    return { user: locked, ...(await invite(locked, tx, context)) }
  })
  return { status: 201, body: await presentInvited(user, { ...invitation, origin }, context) }
}

export const updateUser: Operation<typeof contract.updateUser> = async ({ params, body }, context) => {
  const { caller, store } = context
  const changed = await store.transaction(async (tx) => {
    const user = orNotFound(await tx.users.lock(caller.tenantId, params.id))
    const next = changeUser(user, body, caller.user?.id)
    await tx.users.change(next)
    if (!next.isActive) await endAccess(next, tx)
    const action = user.isActive && !next.isActive ? 'user.deactivate' : 'user.update'
    await record(action, user, { before: auditedPart(user), after: auditedPart(next) }, tx, context)
    return { ...user, ...next }
  })
  return ok(presentUser(changed))
}

export const signOutUser: Operation<typeof contract.signOutUser> = async ({ params }, context) => {
  const { caller, store } = context
  const sessions = await store.transaction(async (tx) => {
    const user = orNotFound(await tx.users.lock(caller.tenantId, params.id))
    const ended = await tx.sessions.end(user.tenantId, user.id)
    await record('user.signOut', user, { after: { sessions: ended } }, tx, context)
    return ended
  })
  return ok({ object: 'signOut', userId: params.id, sessions })
}

/** Passkeys stay: they work again if the person is activated again. */
async function endAccess({ tenantId, id }: User, tx: Transaction): Promise<void> {
  await tx.sessions.end(tenantId, id)
  await tx.invitations.endOf({ tenantId, userId: id })
}

async function invite({ tenantId, id }: User, tx: Transaction, { now, random }: Context) {
  const secret = makeInvitationSecret(random.below)
  const at = now()
  const expiresAt = new Date(at.getTime() + INVITATION_MS)
  await tx.invitations.put(hashSecret(secret), { tenantId, userId: id }, { at, expiresAt })
  return { secret, expiresAt }
}

/** Without an address, neither passkeys nor the links of invitations would work. */
function originOf({ console: settings }: Context): string {
  const origin = settings?.origin()
  if (origin === undefined)
    throw refuse('invalidState', 'Set OTS_PUBLIC_URL first: invitations and passkeys need the address of the console.')
  return origin
}

const record = (
  action: string,
  { id }: User,
  change: { before?: object; after?: object },
  tx: Transaction,
  context: Context,
) => tx.audit.append([auditEntry({ action, subject: { type: 'user', id }, ...change }, context)])

/** The part of a person that the audit log keeps. */
const auditedPart = ({ email, name, role, isActive }: User) => ({ email, name, role, isActive })

interface Invited {
  secret: string
  expiresAt: Date
  origin: string
}

/** The invitation is committed, so a mail that cannot be sent is no failure: the link is in the answer. */
async function presentInvited(
  user: UserRow,
  { secret, expiresAt, origin }: Invited,
  { console: settings, store }: Context,
): Promise<contract.InvitedUser> {
  const url = `${origin}/console/invitation/${secret}`
  const tenantName = (await store.catalog.tenants()).find(({ id }) => id === user.tenantId)?.name ?? user.tenantId
  const { email, name } = user
  const isMailed = (await settings?.sendInvitation?.({ to: email, name, tenantName, url, expiresAt })) ?? false
  return { ...presentUser(user), invitation: { url, expiresAt: expiresAt.toISOString(), isMailed } }
}

function presentUser(user: UserRow): contract.User {
  const { id, email, name, role, isActive, passkeys, oidc, createdAt, lastSignInAt } = user
  return {
    id,
    object: 'user',
    email,
    name,
    role,
    isActive,
    state: isActive ? (lastSignInAt === null ? 'invited' : 'active') : 'deactivated',
    passkeys,
    hasOidc: oidc !== null,
    createdAt: createdAt.toISOString(),
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    url: `/api/operator/v1/users/${id}`,
  }
}
