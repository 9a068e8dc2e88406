import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../domain/refusal.ts'

/** Bodies larger than this are refused before they are read. */
export const BODY_LIMIT = 256 * 1024

/** Where documents come in: 10 MB of them in base64, and what is said beside. */
export const RESULT_LIMIT = 15 * 1024 * 1024

/** Deeper than any body of the interface, and shallow enough for whatever walks it. */
const DEEPEST = 100

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
  if (isTooDeep(body)) throw refuse('badRequest', `The body is nested more than ${DEEPEST} levels deep.`)
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw refuse('badRequest', 'The body is not valid JSON.')
  }
}

/** Brackets inside strings count too, which does no harm: a string with a hundred open ones is no name of anything. */
function isTooDeep(body: Buffer): boolean {
  let depth = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    if (depth > DEEPEST) return true
  }
  return false
}

const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
