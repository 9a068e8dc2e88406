import type { Participant } from '../orders/order.ts'
import { wordsOf } from '../text.ts'

/**
 * What is wrong with a typed signature. It must share a word with the name on file, which may be a nickname or a maiden name,
 * so that nobody signs as somebody else by mistake.
 */
export function checkSignature(name: string, participant: SignedName): 'missing' | 'tooLong' | 'wrong' | null {
  if (name === '') return 'missing'
  if (name.length > LONGEST_NAME) return 'tooLong'
  const typed = new Set(wordsOf(name))
  const onFile = wordsOf([participant.firstName, participant.middleName, participant.lastName].join(' '))
  return onFile.length === 0 || onFile.some((word) => typed.has(word)) ? null : 'wrong'
}

type SignedName = Pick<Participant, 'firstName' | 'middleName' | 'lastName'>

export const LONGEST_NAME = 255
