import type { Problem, Scope } from '@order-testing/contract'

/** The scopes that requests to a route use. */
export interface RouteScopes {
  /** A token needs one of these. */
  needed: readonly Scope[]
  /** Tokens that have it see more in the answer. */
  widened: Scope | null
}

/** Routes whose answers show people only to tokens with a scope of its own. */
const WIDENED: readonly [scope: Scope, paths: RegExp][] = [
  ['order.participant.read', /^\/api\/v[12]\/orders(\/\{id\}(\/cancellation)?)?$/],
  ['operator.participants.read', /^\/api\/operator\/v1\/(orders|results|helpRequests|refusedMessages|search)/],
]

export const routeScopes = (path: string, needed: readonly Scope[]): RouteScopes => ({
  needed,
  widened: WIDENED.find(([, paths]) => paths.test(path))?.[0] ?? null,
})

/**
 * Calls `use` for each scope that a request may have used. Where a token has several of which one would do, all count: an
 * operator who removes unused scopes must not remove one in use.
 */
export function eachScopeUsed(
  { needed, widened }: RouteScopes,
  held: ReadonlySet<Scope>,
  use: (scope: Scope) => void,
): void {
  for (const scope of needed) if (held.has(scope)) use(scope)
  if (widened !== null && held.has(widened)) use(widened)
}

/** A request of a token, as it is recorded: no address, no body. */
export interface TokenRequest {
  requestId: string
  method: string
  /** The path with names instead of values, as in `/api/v2/orders/{id}`. */
  route: string
  status: number
  ms: number
  problems: { code: string; pointer: string | null; detail: string }[]
}

/** Problems of one request that are recorded, and the characters of each text. */
const [MOST_PROBLEMS, LONGEST_TEXT] = [10, 300]

export const recordProblems = (problems: readonly Problem[]): TokenRequest['problems'] =>
  problems.slice(0, MOST_PROBLEMS).map(({ code, pointer, detail }) => ({
    code,
    pointer: pointer?.slice(0, LONGEST_TEXT) ?? null,
    detail: detail.slice(0, LONGEST_TEXT),
  }))
