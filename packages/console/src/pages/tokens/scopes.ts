import type { Words } from '../../languages/en.ts'

export type TokenKind = 'integrator' | 'staff'

const isStaff = (scope: string) => /^(operator|intake)\./.test(scope)

/** No token combines scopes of both kinds. */
export const kindOf = (scopes: readonly string[]): TokenKind => (scopes.some(isStaff) ? 'staff' : 'integrator')

export const scopesOf = ({ tokens: { scopeMeanings } }: Words, kind: TokenKind): string[] =>
  Object.keys(scopeMeanings).filter((scope) => isStaff(scope) === (kind === 'staff'))

const PERSONAL: ReadonlySet<string> = new Set([
  'order.participant.read',
  'operator.participants.read',
  'operator.documents.read',
])

export const isPersonal = (scope: string) => PERSONAL.has(scope)
