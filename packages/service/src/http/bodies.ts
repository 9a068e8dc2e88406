import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../domain/refusal.ts'

/** Bodies larger than this are refused before they are read. */
export const BODY_LIMIT = 256 * 1024

/** Takes JSON bodies, and nothing else. No body at all is left to the endpoint, some of which do without. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw refuse('badRequest', 'The body is not valid UTF-8.')
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw refuse('badRequest', 'The body is not valid JSON.')
  }
}
