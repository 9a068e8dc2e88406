import type { FastifyInstance, FastifyRequest } from 'fastify'
import { handoverOf } from './handover.ts'

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
  }
}

export function addObservers(app: FastifyInstance): void {
  app.decorate('observers', [])
  app.addHook('onResponse', (request, { elapsedTime, raw: { statusCode } }, done) => {
    const before = handoverOf(request.raw)
    const answer = { status: statusCode, ms: before ? performance.now() - before.startedAt : elapsedTime }
    for (const observe of app.observers) observe(request, answer)
    done()
  })
}
