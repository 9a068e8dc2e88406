import type { Scope } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import { Refusal } from '../domain/refusal.ts'

/** Whether a caller has any of the scopes of an operation, or it needs none. */
export const hasScope = ({ scopes }: Pick<Caller, 'scopes'>, any: readonly Scope[]) =>
  any.length === 0 || any.some((scope) => scopes.has(scope))

/** Refuses a caller without any of the scopes of an operation. */
export function requireScope({ scopes, user }: Caller, any: readonly Scope[], status: ScopeRefusal['status']): void {
  if (hasScope({ scopes }, any)) return
  // A person is signed in all the same: 401 would send them to the sign-in.
  throw user ? new ScopeRefusal(any, 403, ROLE_LACKS) : new ScopeRefusal(any, status)
}

const ROLE_LACKS = 'Your role lacks the scope'

/** The token is valid but lacks the scope. */
export class ScopeRefusal extends Refusal {
  /** For the `WWW-Authenticate` challenge. */
  readonly scopes: string
  readonly status: 401 | 403

  constructor(any: readonly Scope[], status: 401 | 403, lacks?: string) {
    const named = any.join(' or ')
    const detail =
      lacks === undefined
        ? `This token lacks the scope ${named}. Use a token that has it.`
        : `${lacks} ${named}. Ask an administrator.`
    super([{ code: 'insufficientScope', detail }])
    this.scopes = any.join(' ')
    this.status = status
  }
}
