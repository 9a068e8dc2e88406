import { randomUUID } from 'node:crypto'

/** Made at once: one alone takes several times as long (`http/turn-batches.ts`). */
const MADE_AT_ONCE = 256

let ready: string[] = []

export function makeRequestId(): string {
  if (ready.length === 0) ready = Array.from({ length: MADE_AT_ONCE }, () => randomUUID())
  return ready.pop()!
}

/** Clients may send their own id, to find the request in our logs. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : makeRequestId()
