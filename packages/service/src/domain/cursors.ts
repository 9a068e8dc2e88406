import type { Problem } from '@order-testing/contract'
import { problemAt, Refusal } from './refusal.ts'

/** What a cursor continues, as its first letter says: a cursor of one list is no cursor of another. */
export type CursorKind = 'events' | 'orders'

/** Positions are whole numbers too large for a JavaScript number, in decimal digits. */
export const START = '0'

/** The cursor of what is new from now on. */
export const LATEST = 'latest'

/** Clients keep cursors and send them back; what they look like is ours to change. */
export const toCursor = (kind: CursorKind, position: string): string => `${kind[0]}.${BigInt(position).toString(16)}`

/** The position of a cursor, or `LATEST`; an empty one is the start. */
export function readCursor(kind: CursorKind, cursor: string): string {
  const position = positionOf(kind, cursor)
  if (position === undefined) throw new Refusal([NO_CURSOR])
  return position
}

export const checkCursor = (kind: CursorKind, cursor: string): Problem[] =>
  positionOf(kind, cursor) === undefined ? [NO_CURSOR] : []

/** Refuses a position that was never given. After the database was restored, reading on from there would miss changes. */
export function checkIssued(position: string, last: string): void {
  if (position !== LATEST && BigInt(position) > BigInt(last))
    throw new Refusal([invalidCursor('This cursor is beyond the newest change. Send an empty one to begin again.')])
}

function positionOf(kind: CursorKind, cursor: string): string | undefined {
  if (cursor === LATEST) return LATEST
  if (cursor === '') return START
  const digits = new RegExp(`^${kind[0]}\\.([0-9a-f]{1,15})$`).exec(cursor)?.[1]
  return digits && BigInt(`0x${digits}`).toString()
}

const invalidCursor = (detail: string) => problemAt('/cursor', 'invalidFormat', detail)

const NO_CURSOR = invalidCursor(
  'Not a cursor of this list. Send the nextCursor of its last page, or an empty one to begin.',
)
