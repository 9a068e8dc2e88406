import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from './errors.ts'

/** Answers requests without a route: 405 with `Allow` if the path exists, otherwise 404. */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()

  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const each of [method].flat()) known.methods.add(each)
    paths.set(url, known)
  })

  const refuseRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split(/[?#]/, 1)[0] ?? ''
    const methods = [...paths.values()].flatMap(({ pattern, methods: known }) => (pattern.test(path) ? [...known] : []))
    if (methods.length === 0)
      return sendError(reply, 404, [{ code: 'notFound', detail: 'Unknown path. See /docs for all endpoints.' }])
    const allow = [...new Set(methods)].toSorted().join(', ')
    return sendError(reply.header('allow', allow), 405, [
      { code: 'badRequest', detail: `Method not allowed. This path accepts ${allow}.` },
    ])
  }

  // Before the body is read.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) void refuseRoute(request, reply)
    else done()
  })
  app.setNotFoundHandler(refuseRoute)
}

const patternOf = (url: string) =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/:[A-Za-z]+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  )
