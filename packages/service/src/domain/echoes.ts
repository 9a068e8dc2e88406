import type { Problem } from '@order-testing/contract'

/** The problems that are not about a malformed member, which is already reported, nor about its parents or children. */
export function withoutEchoes(faults: readonly Problem[], problems: readonly Problem[]): Problem[] {
  return problems.filter((problem) => !faults.some((fault) => covers(fault, problem)))
}

/** A fault without a pointer is a body that is not an object: it covers everything. */
function covers({ code, pointer: fault = '' }: Problem, problem: Problem): boolean {
  const { pointer } = problem
  // An unknown member says nothing about the others, but it may be meant as the one that its object lacks.
  if (code === 'unrecognizedKeys') return problem.code === 'required' && parentOf(fault) === pointer
  if (fault === '') return true
  if (pointer === undefined) return false
  // Members of a list of the wrong length were parsed nevertheless.
  const wasParsed = code === 'tooBig' || code === 'tooSmall'
  return `${fault}/`.startsWith(`${pointer}/`) || (pointer.startsWith(`${fault}/`) && !wasParsed)
}

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))
