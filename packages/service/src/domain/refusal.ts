import type { ErrorCode, Problem } from '@order-testing/contract'

/** A request that is refused for reasons the client can fix. */
export class Refusal extends Error {
  readonly problems: Problem[]

  constructor(problems: Problem[]) {
    super(problems.map((problem) => problem.detail).join(' '))
    this.problems = problems
  }
}

export function refuse(code: ErrorCode, detail: string, pointer?: string): Refusal {
  return new Refusal([pointer === undefined ? { code, detail } : { code, detail, pointer }])
}

/** A problem of one member of a request. */
export const problemAt = (pointer: string, code: ErrorCode, detail: string, constraint?: string): Problem => ({
  code,
  detail,
  pointer,
  ...(constraint !== undefined && { constraint }),
})

/** The same text whether a resource is missing, inactive or another tenant's. */
export const notFound = () => refuse('notFound', 'Not found, or not visible to this token.')

export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound()
  return found
}
