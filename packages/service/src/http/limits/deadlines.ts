import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Unavailable } from '../../store/db/errors.ts'
import { UnderWay } from './under-way.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When the answer is due, by `performance.now()`. Paused while the body arrives, which Node limits itself. */
    dueAt: number
  }
  interface FastifyReply {
    placeUnderWay: number
  }
  interface FastifyContextConfig {
    /** How long the route may take, if longer than the setting. */
    takesUpToMs?: number
  }
}

/** A request must have arrived completely within this time. */
export const ARRIVAL_MS = 30_000

/** How long an idle connection is kept open. */
export const IDLE_MS = 72_000

/** One sweep for all requests costs less than a timer per request. */
export const SWEEP_MS = 100

/** Answers requests with 503 when their deadline passes. Their work continues. */
export function addDeadlines(app: FastifyInstance, timeoutMs: number): void {
  const running = new UnderWay<FastifyReply>()
  app.decorateRequest('dueAt', 0)
  app.decorateReply('placeUnderWay', -1)
  app.addHook('onRequest', (request, reply, done) => {
    request.dueAt = performance.now() + Math.max(timeoutMs, request.routeOptions.config.takesUpToMs ?? 0)
    running.add(reply)
    done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (!hasBody(request)) return done()
    request.dueAt -= performance.now()
    running.delete(reply)
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (!hasBody(request)) return done()
    request.dueAt += performance.now()
    running.add(reply)
    done()
  })
  app.addHook('onResponse', (_request, reply, done) => {
    running.delete(reply)
    done()
  })
  const sweep = setInterval(() => {
    const now = performance.now()
    for (const reply of running.list()) {
      if (reply.request.dueAt > now) continue
      running.delete(reply)
      if (!reply.sent) void reply.send(lateRefusal())
    }
  }, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(sweep))
}

export const lateRefusal = () => new Unavailable('The request could not be answered in time.', { code: 'ETIMEDOUT' })

const hasBody = ({ method, headers }: FastifyRequest) =>
  method !== 'GET' && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
