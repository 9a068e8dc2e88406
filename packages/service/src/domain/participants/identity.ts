import type { Participant } from '../orders/order.ts'

/** Wrong answers about one order. */
export interface Tally {
  wrong: number
  /** Answers are not looked at until then. */
  lockedUntil: Date | null
}

export type AnswerFields = {
  readonly [name in 'birthMonth' | 'birthDay' | 'birthYear' | 'lastName']?: string | undefined
}

export const MOST_WRONG = 5
const LOCK_MS = 3_600_000

/** What a new device is asked: the birth date, or the last name where no birth date is on file. */
export const questionFor = ({ birthDate }: Participant) => (birthDate === null ? 'lastName' : 'birthDate')

/** Whether an answer is right; `incomplete` if it is none at all, which does not count. */
export function checkAnswer(answer: AnswerFields, participant: Participant): 'right' | 'wrong' | 'incomplete' {
  const { birthDate, lastName } = participant
  if (birthDate !== null) {
    const given = readDate(answer)
    if (given === undefined) return 'incomplete'
    return given === birthDate ? 'right' : 'wrong'
  }
  const given = answer.lastName?.trim() ?? ''
  if (given === '') return 'incomplete'
  return foldName(given) === foldName(lastName) ? 'right' : 'wrong'
}

/** Until when answers are locked; null if they are not. */
export const lockOf = (tally: Tally | undefined, now: Date): Date | null =>
  tally?.lockedUntil && tally.lockedUntil > now ? tally.lockedUntil : null

/** Counts a wrong answer. The count starts anew after a lock. */
export function countWrong(tally: Tally | undefined, now: Date): Tally {
  const wrong = (tally === undefined || tally.lockedUntil !== null ? 0 : tally.wrong) + 1
  return { wrong, lockedUntil: wrong >= MOST_WRONG ? new Date(now.getTime() + LOCK_MS) : null }
}

function readDate({ birthMonth = '', birthDay = '', birthYear = '' }: AnswerFields): string | undefined {
  const [month, day, year] = [birthMonth, birthDay, birthYear].map((text) => text.trim())
  if (!/^\d{1,2}$/.test(month!) || !/^\d{1,2}$/.test(day!) || !/^\d{4}$/.test(year!)) return undefined
  return `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`
}

/** Without case, accents, spaces and punctuation, unless nothing else is left. */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain.trim()
}
