import type { Words } from '../languages/words.tsx'

/** The total of a list, which may have been counted only up to a limit. */
export function totalText({ total, isMore }: { total: number; isMore?: boolean }, words: Words): string {
  const count = total.toLocaleString(words.locale)
  return isMore ? words.states.moreThan(count) : count
}
