import { OPERATOR_SCOPES, type Scope } from '@order-testing/contract'
import { ROLES, type RoleId } from '@order-testing/contract/operator'

export interface Role {
  id: RoleId
  name: string
  description: string
  scopes: readonly Scope[]
}

type OperatorScope = (typeof OPERATOR_SCOPES)[number]

const READING: readonly OperatorScope[] = [
  'operator.orders.read',
  'operator.participants.read',
  'operator.results.read',
  'operator.documents.read',
  'operator.deliveries.read',
  'operator.catalog.read',
  'operator.messages.read',
]

/** What each role may do. Nothing else decides about a person's rights. */
const GRANTS: Record<RoleId, Omit<Role, 'id' | 'scopes'> & { scopes: readonly OperatorScope[] }> = {
  administrator: {
    name: 'Administrator',
    description: 'May do everything, including inviting people and issuing tokens.',
    scopes: OPERATOR_SCOPES,
  },
  coordinator: {
    name: 'Coordinator',
    description: 'Works on orders, bookings, results and messages. Reads the catalog.',
    scopes: [
      'operator.orders.read',
      'operator.orders.write',
      'operator.links.write',
      'operator.participants.read',
      'operator.participants.write',
      'operator.tasks.write',
      'operator.results.read',
      'operator.results.write',
      'operator.documents.read',
      'operator.messages.read',
      'operator.messages.write',
      'operator.catalog.read',
    ],
  },
  support: {
    name: 'Support',
    description:
      'Sees everything about orders and messages. Helps participants: sends links and messages again, changes contacts, books, extends. Works on tasks.',
    scopes: [
      ...READING,
      'operator.participants.write',
      'operator.tasks.write',
      'operator.links.write',
      'operator.messages.write',
    ],
  },
  auditor: {
    name: 'Auditor',
    description: 'Reads everything, including people, tokens and the audit log. Changes nothing.',
    scopes: [...READING, 'operator.tokens.read', 'operator.users.read', 'operator.audit.read'],
  },
}

export const roles: readonly Role[] = ROLES.map((id) => ({ id, ...GRANTS[id] }))

/** The scopes of a role. A role that this release does not know grants nothing. */
export const scopesOfRole = (id: string): ReadonlySet<Scope> =>
  new Set<Scope>(Object.hasOwn(GRANTS, id) ? GRANTS[id as RoleId].scopes : [])
