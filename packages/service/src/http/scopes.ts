import type { Scope } from '@order-testing/contract'
import type { Caller } from '../domain/access/caller.ts'
import { Refusal } from '../domain/refusal.ts'

/** Refuses a caller without any of the scopes of an operation. */
export function requireScope({ scopes }: Caller, any: readonly Scope[], status: ScopeRefusal['status']): void {
  if (any.length > 0 && !any.some((scope) => scopes.has(scope))) throw new ScopeRefusal(any, status)
}

/** The token is valid but lacks the scope. */
export class ScopeRefusal extends Refusal {
  /** For the `WWW-Authenticate` challenge. */
  readonly scopes: string
  readonly status: 401 | 403

  constructor(any: readonly Scope[], status: 401 | 403) {
    super([
      { code: 'insufficientScope', detail: `This token lacks the scope ${any.join(' or ')}. Use a token that has it.` },
    ])
    this.scopes = any.join(' ')
    this.status = status
  }
}
