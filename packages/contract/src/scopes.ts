/** The scopes of integrators. */
export const SCOPES = [
  'order.create',
  'order.read',
  'order.participant.read',
  'order.list',
  'order.cancel',
  'agency.list',
  'agency.read',
  'agency.jobCategories.read',
  'clinic.list',
  'clinic.read',
  'clinic.search',
  'company.list',
  'company.read',
  'location.list',
  'location.read',
  'package.list',
  'package.read',
  'service.list',
  'service.read',
] as const

/** The scopes of operators. They cover the whole tenant. */
export const OPERATOR_SCOPES = [
  'operator.orders.read',
  'operator.orders.write',
  'operator.links.write',
  'operator.participants.read',
  'operator.participants.write',
  'operator.tasks.write',
  'operator.results.read',
  'operator.results.write',
  'operator.documents.read',
  'operator.deliveries.read',
  'operator.deliveries.write',
  'operator.tokens.read',
  'operator.tokens.write',
  'operator.catalog.read',
  'operator.catalog.write',
  'operator.messages.read',
  'operator.messages.write',
  'operator.messages.receive',
  'operator.audit.read',
  'operator.users.read',
  'operator.users.write',
] as const

/** The kinds of senders of results. The kind decides what a sender may report. */
export const SENDER_KINDS = ['collector', 'courier', 'lab', 'mro', 'bat', 'clinic', 'background'] as const
export type SenderKind = (typeof SENDER_KINDS)[number]

/** The scopes of tokens that send results, one per kind of sender. */
export const INTAKE_SCOPES = SENDER_KINDS.map((kind) => `intake.${kind}` as const)

export type Scope = (typeof SCOPES)[number] | (typeof OPERATOR_SCOPES)[number] | (typeof INTAKE_SCOPES)[number]

/** Scopes of operators and senders of results. A token cannot combine them with scopes of integrators. */
export const STAFF_SCOPES: readonly Scope[] = [...OPERATOR_SCOPES, ...INTAKE_SCOPES]
export const ALL_SCOPES: readonly Scope[] = [...SCOPES, ...STAFF_SCOPES]

export const isStaffScope = (scope: string) => scope.startsWith('operator.') || scope.startsWith('intake.')

/** Abbreviations for all scopes of a kind. */
const SHORT = new Map<string, readonly Scope[]>([
  ['all', SCOPES],
  ['operator.*', OPERATOR_SCOPES],
  ['intake.*', INTAKE_SCOPES],
])

export const SHORT_SCOPES = [...SHORT.keys()]

/** Expands abbreviations. Unknown names are kept, so that they can be refused. */
export const expandScopes = (names: readonly string[]): Scope[] => [
  ...new Set(names.flatMap((name): readonly Scope[] => SHORT.get(name) ?? [name as Scope])),
]

/** Whether scopes of both kinds are combined, which no token may do. */
export const mixesScopes = (scopes: readonly string[]) =>
  scopes.some((scope) => isStaffScope(scope)) && scopes.some((scope) => !isStaffScope(scope))
