import type { Scope } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import { Refusal } from '../domain/refusal.ts'

/** Refuses a caller without any of the scopes. */
export function requireScope({ scopes }: Caller, any: readonly Scope[]): void {
  if (!any.some((scope) => scopes.has(scope))) throw new ScopeRefusal(any)
}

/** The token is valid but lacks the scope. */
export class ScopeRefusal extends Refusal {
  /** For the `WWW-Authenticate` challenge. */
  readonly scopes: string

  constructor(any: readonly Scope[]) {
    super([
      { code: 'insufficientScope', detail: `This token lacks the scope ${any.join(' or ')}. Use a token that has it.` },
    ])
    this.scopes = any.join(' ')
  }

  /** The interface requires 403 when creating orders and 401 everywhere else. */
  get status(): 401 | 403 {
    return this.scopes === 'order.create' ? 403 : 401
  }
}
