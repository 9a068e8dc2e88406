import type { RoleId } from '@order-testing/contract/operator'
import { refuse } from '../refusal.ts'

/** A person who may sign in to the console. */
export interface User {
  tenantId: string
  id: string
  email: string
  name: string
  role: RoleId
  isActive: boolean
  isDemo: boolean
  /** Who the person is at the OpenID Connect provider. */
  oidc: OidcSubject | null
  createdAt: Date
  lastSignInAt: Date | null
}

export interface OidcSubject {
  issuer: string
  subject: string
}

export interface UserChange {
  name?: string | undefined
  role?: RoleId | undefined
  isActive?: boolean | undefined
}

/** Addresses that differ in case reach the same person. */
export const normaliseEmail = (email: string) => email.trim().toLowerCase()

/** Nobody can take the own rights away, so that at least one administrator is left. */
export function changeUser(user: User, change: UserChange, actingUserId: string | undefined): User {
  const { name = user.name, role = user.role, isActive = user.isActive } = change
  if (user.isDemo && (role !== user.role || isActive !== user.isActive))
    throw refuse('invalidState', 'The demo operator of a sandbox keeps its role and stays active.')
  if (user.id === actingUserId && (role !== user.role || isActive !== user.isActive))
    throw refuse('invalidState', 'You cannot change your own role or deactivate yourself. Ask another administrator.')
  return { ...user, name, role, isActive }
}

/** How long an invitation works. */
export const INVITATION_MS = 7 * 24 * 3600 * 1000

/** How long a browser may take to answer a challenge, including a person who looks for a security key. */
export const CHALLENGE_MS = 5 * 60 * 1000

/** What an invitation says. */
export interface InvitationMail {
  to: string
  name: string
  tenantName: string
  url: string
  expiresAt: Date
}
