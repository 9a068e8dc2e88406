import type { FastifyInstance } from 'fastify'
import { CATALOG_BYTES, operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { inThread } from '../../threads/thread-jobs.ts'
import { router, type RouteContext } from './routes.ts'

const LONGEST_MS = 900_000

/** After the deadline, so that the request is answered before the connection is closed. */
const CUT_AFTER_MS = LONGEST_MS + 10_000

/** Catalogs are processed in a thread: with 50,000 clinics, each step takes a second. */
export function addCatalogRoutes(app: FastifyInstance, context: RouteContext): void {
  void app.register((scope, _options, done) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))
    // Processing a large file takes longer than the usual connection timeout.
    scope.addHook('preHandler', (request, _reply, next) => {
      const { socket } = request.raw
      if ((socket.timeout ?? 0) < CUT_AFTER_MS) socket.setTimeout(CUT_AFTER_MS)
      next()
    })
    const serve = router(scope, context)
    const { catalogs } = context.threads
    const wholeFile = { readsBody: true, bodyLimit: CATALOG_BYTES, takesUpToMs: LONGEST_MS }
    serve(endpoints.exportCatalog, inThread('exportCatalog', catalogs), { readsBody: true, takesUpToMs: LONGEST_MS })
    serve(endpoints.applyCatalog, inThread('applyCatalog', catalogs), wholeFile)
    serve(endpoints.diffCatalog, inThread('diffCatalog', catalogs), wholeFile)
    // The outlines of the country take most of a second to draw, once.
    serve(endpoints.readClinicMap, inThread('readClinicMap', catalogs), { readsBody: true })
    done()
  })
}
