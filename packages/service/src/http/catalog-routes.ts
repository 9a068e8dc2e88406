import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '@order-testing/contract'
import { CATALOG_BYTES, operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { Refusal } from '../domain/refusal.ts'
import type { RawOperation } from '../operations/operation.ts'
import { router, type RouteContext } from './routes.ts'
import { jobOf, type ThreadJob } from './thread-jobs.ts'

/** Catalogs are worked on in a thread: with 50,000 clinics, each step of it takes a second. */
export function addCatalogRoutes(app: FastifyInstance, context: RouteContext): void {
  void app.register((scope, _options, done) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))
    const serve = router(scope, context)
    const wholeFile = { readsBody: true, bodyLimit: CATALOG_BYTES }
    serve(endpoints.exportCatalog, inThread('exportCatalog', context), { readsBody: true })
    serve(endpoints.applyCatalog, inThread('applyCatalog', context), wholeFile)
    serve(endpoints.diffCatalog, inThread('diffCatalog', context), wholeFile)
    done()
  })
}

const inThread =
  (operation: ThreadJob['operation'], { threads }: RouteContext): RawOperation<Endpoint> =>
  async ({ body, faults }, context) => {
    if (faults.length > 0) throw new Refusal(faults)
    const { bytes, type } = await threads.catalogs(jobOf(operation, context, body as Uint8Array | undefined))
    if (operation === 'applyCatalog') context.catalogChanged()
    return { status: 200, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), type }
  }
