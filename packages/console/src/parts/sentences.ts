import { detailOf, isUnanswered, OfflineError, problemsOf, statusOf, UnknownOutcomeError } from '../api/failures.ts'
import type { Words } from '../languages/en.ts'
import { explain } from './refusals.ts'

/** Says what went wrong, and whether anything was changed. Times that the service names are shown in the zone. */
export function sentenceOf(error: unknown, words: Words, zone?: string): string {
  const { states } = words
  const status = statusOf(error)
  if (status === 403) return missingScopeOf(error, words) ?? states.forbidden
  if (error instanceof OfflineError) return `${states.youAreOffline} ${states.nothingChanged}`
  if (error instanceof UnknownOutcomeError) return `${states.unreachable} ${states.unknownOutcome}`
  const told = problemsOf(error).map((problem) => explain(problem, words, zone))
  const detail = told.join(' ') || detailOf(error)
  if (status !== undefined && status < 500 && detail) return detail
  if (isUnanswered(error)) return `${states.unreachable} ${states.nothingChanged}`
  return status === undefined ? (detail ?? states.failed) : `${states.answered(status)} ${states.nothingChanged}`
}

/** Which right a refused request needs, if the service says so. */
function missingScopeOf(error: unknown, words: Words): string | undefined {
  const scope = problemsOf(error)
    .map(({ detail }) => /\boperator\.[\w.]+\w/.exec(detail)?.[0])
    .find((found) => found !== undefined)
  return scope && words.refusals.scope(scope)
}
