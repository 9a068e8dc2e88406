import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handoverOf } from './handover.ts'
import { batchPerTurn } from './turn-batches.ts'

/** A request that was answered, as observers see it. */
export type AnsweredRequest = Pick<
  FastifyRequest,
  'id' | 'method' | 'url' | 'headers' | 'body' | 'answerBody' | 'caller' | 'problems'
> & { routeOptions: Pick<FastifyRequest['routeOptions'], 'url' | 'config'> }

export type Observer = (request: AnsweredRequest, answer: { status: number; ms: number }) => void

declare module 'fastify' {
  interface FastifyInstance {
    /** Called with every request after it was answered. */
    observers: Observer[]
    /** Calls them at the end of the turn. */
    observe: Observer
    /** Resolves when everything that was answered before has been observed. */
    observed(): Promise<void>
  }
}

export function addObservers(app: FastifyInstance): void {
  app.decorate('observers', [])
  const observe = batchPerTurn(([request, answer]: Parameters<Observer>) => {
    for (const each of app.observers) each(request, answer)
  })
  app.decorate('observe', (request, answer) => observe([request, answer]))
  app.decorate('observed', () => nextTurn())
  app.addHook('onResponse', (request, { elapsedTime, raw: { statusCode } }, done) => {
    const before = handoverOf(request.raw)
    app.observe(request, { status: statusCode, ms: before ? performance.now() - before.startedAt : elapsedTime })
    done()
  })
}
