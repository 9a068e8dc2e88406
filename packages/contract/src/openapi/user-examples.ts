const id = 'usr_01kjqj3c5f7v9x2m4n6p8r0s1t'

export const user = {
  id,
  object: 'user',
  email: 'rosa.delgado@example.com',
  name: 'Rosa Delgado',
  role: 'coordinator',
  isActive: true,
  state: 'active',
  passkeys: 2,
  hasOidc: false,
  createdAt: '2026-03-02T15:04:05.678Z',
  lastSignInAt: '2026-03-04T15:58:11.020Z',
  url: `/api/operator/v1/users/${id}`,
} as const

export const invitedUser = {
  ...user,
  state: 'invited',
  passkeys: 0,
  lastSignInAt: null,
  invitation: {
    url: 'https://orders.example/console/invitation/otsi_EXAMPLE0000000000000000000000000000000',
    expiresAt: '2026-03-09T15:04:05.678Z',
    isMailed: true,
  },
} as const

export const support = { ...user, role: 'support' } as const

export const role = {
  id: 'support',
  object: 'role',
  name: 'Support',
  description:
    'Sees everything about orders and messages. Helps participants: sends links and messages again, changes contacts, books, extends. Works on tasks.',
  scopes: ['operator.orders.read', 'operator.participants.write', 'operator.tasks.write', 'operator.links.write'],
} as const
