import { setImmediate as nextTurn } from 'node:timers/promises'

/** Bodies above this size take milliseconds to parse and to check. */
export const LARGE_BODY = 16 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    hasLargeBody: boolean
  }
}

let last: Promise<void> = Promise.resolve()

/**
 * Waits for a turn of the event loop that no other large body has, so that many of them at once delay other requests by one at most.
 */
export function takeOwnTurn(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}
