import { createHash } from 'node:crypto'
import { drawsOf } from '../orders/code.ts'

/**
 * Values that depend only on a name and on how many were taken before, for ids that are known in advance. The letters of the
 * order code are drawn first, if one is given.
 */
export function fixedRandom(name: string, code?: string) {
  const draws = code === undefined ? [] : drawsOf(code)
  let taken = 0
  const bytes = (count: number): Buffer => createHash('sha256').update(`${name} ${taken++}`).digest().subarray(0, count)
  return { bytes, below: (limit: number): number => draws.shift() ?? bytes(4).readUInt32BE() % limit }
}
