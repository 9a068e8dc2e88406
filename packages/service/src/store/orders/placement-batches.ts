import type { NewOrder } from './insertion.ts'

/** Orders that one statement places. */
export const MOST_PLACED = 64

/** The most advisory locks of one statement: a server has some thousands in all. */
const MOST_LOCKS = 500

/**
 * Orders that share a blocking key, and so may be for the same person and purpose, are placed one after the other: together
 * they would wait for each other in the database. All waiting orders are considered, so that many with the same key do not
 * delay the others.
 */
export function withoutSharedKeys(waiting: NewOrder[], underWay: NewOrder[]): NewOrder[] {
  const taken = new Set(underWay.flatMap((added) => lockedKeys(added)))
  const picked: NewOrder[] = []
  let locks = 0
  for (const added of waiting) {
    const keys = lockedKeys(added)
    const isFull = picked.length > 0 && locks + keys.length > MOST_LOCKS
    if (isFull || keys.some((key) => taken.has(key))) continue
    for (const key of keys) taken.add(key)
    locks += keys.length
    if (picked.push(added) === MOST_PLACED) break
  }
  return picked
}

const lockedKeys = ({ searched }: NewOrder) =>
  searched ? searched.search.blockingKeys.map((key) => `${searched.search.caller.tenantId} ${key}`) : []
