import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '@order-testing/contract'
import { CATALOG_BYTES, operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { Refusal } from '../domain/refusal.ts'
import { catalogThread, doCatalogJob, type CatalogJob, type RunCatalogJob } from '../operations/catalog-jobs.ts'
import type { RawOperation } from '../operations/operation.ts'
import { router, type RouteContext } from './routes.ts'
import { JSON_TYPE } from './sending.ts'

/** Catalog files are read and compared beside the event loop: of those with 50,000 clinics, each step takes a second. */
export function addCatalogRoutes(app: FastifyInstance, context: RouteContext): void {
  const { run, stop } = runnerOf(context)
  app.addHook('onClose', stop)
  void app.register((scope, _options, done) => {
    scope.removeContentTypeParser('application/json')
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, next) => next(null, body))
    const serve = router(scope, context)
    const wholeFile = { readsBody: true, bodyLimit: CATALOG_BYTES }
    serve(endpoints.exportCatalog, operationOf('exportCatalog', run), { readsBody: true })
    serve(endpoints.applyCatalog, operationOf('applyCatalog', run), wholeFile)
    serve(endpoints.diffCatalog, operationOf('diffCatalog', run), wholeFile)
    done()
  })
}

function runnerOf({ database, store }: RouteContext): { run: RunCatalogJob; stop: () => Promise<void> } {
  return database ? catalogThread(database) : { run: (job) => doCatalogJob(job, store), stop: async () => {} }
}

const operationOf =
  (operation: CatalogJob['operation'], run: RunCatalogJob): RawOperation<Endpoint> =>
  async ({ body, faults }, { caller, policy, now, catalogChanged }) => {
    if (faults.length > 0) throw new Refusal(faults)
    const bytes = await run({ operation, caller, policy, at: now(), file: body as Uint8Array | undefined })
    if (operation === 'applyCatalog') catalogChanged()
    return { status: 200, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), type: JSON_TYPE }
  }
