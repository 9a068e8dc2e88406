/** What an integrator's token may do; each endpoint names the scope it asks for. */
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

/** What an operator's token may do, on everything of its tenant. */
export const OPERATOR_SCOPES = [
  'operator.orders.read',
  'operator.orders.write',
  'operator.participants.read',
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
  'operator.audit.read',
] as const

/** Who sends results: what somebody may report follows from what they are. */
export const SENDER_KINDS = ['collector', 'courier', 'lab', 'mro', 'bat', 'clinic', 'background'] as const
export type SenderKind = (typeof SENDER_KINDS)[number]

/** What a token that brings results may speak as. */
export const INTAKE_SCOPES = SENDER_KINDS.map((kind) => `intake.${kind}` as const)

export type Scope = (typeof SCOPES)[number] | (typeof OPERATOR_SCOPES)[number] | (typeof INTAKE_SCOPES)[number]

/** Scopes of operators and of those who bring results: never in one token with those of integrators. */
export const STAFF_SCOPES: readonly Scope[] = [...OPERATOR_SCOPES, ...INTAKE_SCOPES]
export const ALL_SCOPES: readonly Scope[] = [...SCOPES, ...STAFF_SCOPES]

export const isStaffScope = (scope: string) => scope.startsWith('operator.') || scope.startsWith('intake.')

/** Short names for all scopes of a kind. */
const SHORT = new Map<string, readonly Scope[]>([
  ['all', SCOPES],
  ['operator.*', OPERATOR_SCOPES],
  ['intake.*', INTAKE_SCOPES],
])

export const SHORT_SCOPES = [...SHORT.keys()]

/** The scopes that names stand for, each once. A name that is no scope stays as it is, so that it can be refused. */
export const spelledOut = (names: readonly string[]): Scope[] => [
  ...new Set(names.flatMap((name): readonly Scope[] => SHORT.get(name) ?? [name as Scope])),
]

/** Whether a token would mix what must be kept apart. */
export const mixesScopes = (scopes: readonly string[]) =>
  scopes.some((scope) => isStaffScope(scope)) && scopes.some((scope) => !isStaffScope(scope))
