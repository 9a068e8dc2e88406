import type { Constraint, ErrorCode, Problem } from '@order-testing/contract'

/** A request that is refused for reasons the client can fix. */
export class Refusal extends Error {
  readonly problems: Problem[]
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined

  constructor(problems: Problem[], { retryAfter }: { retryAfter?: number } = {}) {
    super(problems.map((problem) => problem.detail).join(' '))
    this.problems = problems
    this.retryAfter = retryAfter
  }
}

export function refuse(code: ErrorCode, detail: string, pointer?: string): Refusal {
  return new Refusal([pointer === undefined ? { code, detail } : { code, detail, pointer }])
}

/** A problem of one member of a request. */
export const problemAt = (pointer: string, code: ErrorCode, detail: string, constraint?: Constraint): Problem => ({
  code,
  detail,
  pointer,
  ...(constraint !== undefined && { constraint }),
})

/** A problem with the section of the regulation that it comes from. */
export const underRegulation = (regulation: string, problem: Problem): Problem => ({ ...problem, meta: { regulation } })

/** The same text whether a resource is missing, inactive or another tenant's. */
export const notFound = () => refuse('notFound', 'Not found, or not visible to this token.')

export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound()
  return found
}
