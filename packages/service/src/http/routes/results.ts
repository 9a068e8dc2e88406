import type { FastifyInstance } from 'fastify'
import { operatorEndpoints as endpoints } from '@order-testing/contract/operator'
import { readJson } from '../../domain/json.ts'
import type { Context } from '../../operations/operation.ts'
import { postResult } from '../../operations/results/results.ts'
import { HL7_TYPES, inThread, jobOf, MOST_IN_LOOP, takeHl7, type ThreadAnswer } from '../../threads/thread-jobs.ts'
import { ForeignBody, RESULT_LIMIT } from '../bodies.ts'
import { bearerOf, type Hl7Watch } from './refused-hl7.ts'
import { router, type RouteContext } from './routes.ts'

/**
 * Takes result reports in JSON and HL7, and serves them with their documents. Large ones are processed in a thread: parsing,
 * sealing or opening ten megabytes would delay other requests.
 */
export function addResultRoutes(app: FastifyInstance, context: RouteContext, watch: Hl7Watch): void {
  const serve = router(app, context)
  const { results } = context.threads
  serve(endpoints.readResult, inThread('readResult', results), { readsBody: true })
  serve(endpoints.readDocument, inThread('readDocument', results), { readsBody: true })
  // Its own scope, so that no other route accepts such bodies.
  void app.register((scope, _options, done) => {
    readReports(scope)
    router(scope, context)(endpoints.postResult, postResult, {
      kind: 'result',
      bodyLimit: RESULT_LIMIT,
      foreign: { types: HL7_TYPES, answer: (body, work, address) => take(body, work, { context, watch, address }) },
    })
    done()
  })
}

async function take(
  { type, bytes, charset }: ForeignBody,
  work: Context,
  { context: { threads }, watch, address }: { context: RouteContext; watch: Hl7Watch; address: string },
): Promise<ThreadAnswer> {
  if (type === 'json') return threads.results(jobOf('postResult', work, bytes))
  const answer = await takeHl7({ bytes, charset }, work, threads)
  await watch.record(answer, { door: 'http', address, bytes }, bearerOf(work.caller))
  return answer
}

/** Leaves HL7 and large JSON bodies as bytes: the character set of an HL7 message is in its header. */
function readReports(scope: FastifyInstance): void {
  scope.removeContentTypeParser('application/json')
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length > MOST_IN_LOOP ? new ForeignBody('json', body) : readJson(body),
  )
  scope.addContentTypeParser([...HL7_TYPES], { parseAs: 'buffer' }, (request, body, done) => {
    const charset = /;\s*charset="?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
    done(null, new ForeignBody('hl7', body as Buffer, charset))
  })
}
