import type { IncomingMessage } from 'node:http'
import type { Caller } from '../domain/access/caller.ts'

/** What happened to a request before the framework got it, which has to refuse it. */
export interface Handover {
  caller: Caller
  ownHeaders: readonly string[] | null
  error: unknown
  /** By `performance.now()`. */
  startedAt: number
}

const handedOver = new WeakMap<IncomingMessage, Handover>()

export function handOver(request: IncomingMessage, handover: Handover): void {
  handedOver.set(request, handover)
}

export const handoverOf = (request: IncomingMessage): Handover | undefined => handedOver.get(request)
