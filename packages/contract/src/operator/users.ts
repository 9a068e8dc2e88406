import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/user-examples.ts'
import { Flag, Path, text, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf } from '../resource-endpoints.ts'

/** The roles of people; each is a set of operator scopes. */
export const ROLES = ['administrator', 'coordinator', 'support', 'auditor'] as const
export type RoleId = (typeof ROLES)[number]

const email = z.email().max(320)
const name = text(1, 120)
const roleId = z.enum(ROLES)

const User = z
  .object({
    id: z.string(),
    object: z.literal('user'),
    email: z.string(),
    name: z.string(),
    role: roleId,
    isActive: z.boolean().describe('Whether the person may sign in.'),
    state: z
      .enum(['invited', 'active', 'deactivated'])
      .describe('`invited` until the first sign-in; `deactivated` if `isActive` is false.'),
    passkeys: z.int().min(0).describe('How many passkeys the person has registered.'),
    hasOidc: z.boolean().describe('Whether the person has signed in with the OpenID Connect provider.'),
    createdAt: Timestamp,
    lastSignInAt: Timestamp.nullable(),
    url: Path,
  })
  .meta({ id: 'User' })

export type User = z.infer<typeof User>

const InvitedUser = User.extend({
  invitation: z.object({
    url: z.string().describe('The link that registers a passkey and signs in, once. It is shown only here.'),
    expiresAt: Timestamp,
    isMailed: z.boolean().describe('Whether the mail server has accepted the invitation.'),
  }),
}).meta({ id: 'InvitedUser' })

export type InvitedUser = z.infer<typeof InvitedUser>

const Role = z
  .object({
    id: roleId,
    object: z.literal('role'),
    name: z.string(),
    description: z.string(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Role' })

const SignOut = z
  .object({ object: z.literal('signOut'), userId: z.string(), sessions: z.int().min(0).describe('How many ended.') })
  .meta({ id: 'SignOut' })

export type SignOut = z.infer<typeof SignOut>

const users = { path: '/api/operator/v1/users', tag: 'Users', one: 'user', many: 'users' }
const change = { scope: 'operator.users.write', tag: users.tag } as const
const read = { scope: 'operator.users.read' } as const

export const listUsers = listOf(users, {
  ...read,
  summary: 'List people, oldest first.',
  filters: {},
  item: User,
  example: examples.user,
})

export const readUser = readOf(users, { ...read, reply: User, example: examples.user })

export const inviteUser = endpoint({
  ...change,
  method: 'POST',
  path: users.path,
  summary: 'Invite a person.',
  description:
    'The link works once, for 7 days. It is sent by e-mail if the service has a mail server, and is in the answer in any case. ' +
    'The person can also sign in with the OpenID Connect provider, if it reports this e-mail address as verified.',
  body: z.strictObject({ email, name, role: roleId }).meta({ id: 'UserInvitation' }),
  replies: { 201: 'The person, with the link.' },
  reply: InvitedUser,
  refusals: [409, 422],
  example: {
    body: { email: examples.user.email, name: examples.user.name, role: examples.user.role },
    reply: examples.invitedUser,
  },
})

export const updateUser = endpoint({
  ...change,
  method: 'PATCH',
  path: `${users.path}/{id}`,
  summary: 'Change the name or role of a person, or whether they may sign in.',
  description:
    'Takes effect at once. Deactivating ends all sessions and invitations. People cannot change their own role or deactivate themselves.',
  params: idOf(users),
  body: z
    .strictObject({ name: name.optional(), role: roleId.optional(), isActive: Flag.optional() })
    .meta({ id: 'UserChange' }),
  replies: { 200: 'The person as changed.' },
  reply: User,
  refusals: [422],
  example: { params: { id: examples.user.id }, body: { role: 'support' }, reply: examples.support },
})

export const reinviteUser = endpoint({
  ...change,
  method: 'POST',
  path: `${users.path}/{id}/invitation`,
  summary: 'Send a new invitation.',
  description:
    'For an invitation that expired, a further device or a lost one. Earlier links of the person stop working; passkeys and sessions stay.',
  params: idOf(users),
  replies: { 201: 'The person, with the link.' },
  reply: InvitedUser,
  refusals: [422],
  example: { params: { id: examples.user.id }, reply: examples.invitedUser },
})

export const signOutUser = endpoint({
  ...change,
  method: 'DELETE',
  path: `${users.path}/{id}/sessions`,
  summary: 'Sign a person out everywhere.',
  params: idOf(users),
  replies: { 200: 'How many sessions ended.' },
  reply: SignOut,
  example: {
    params: { id: examples.user.id },
    reply: { object: 'signOut', userId: examples.user.id, sessions: 2 },
  },
})

export const listRoles = listOf(
  { path: '/api/operator/v1/roles', tag: users.tag, one: 'role', many: 'roles' },
  { ...read, summary: 'List roles with their scopes.', filters: {}, item: Role, example: examples.role },
)
