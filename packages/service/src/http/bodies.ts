import type { FastifyInstance } from 'fastify'
import { readJson } from '../domain/json.ts'
import { LARGE_BODY, takeOwnTurn } from './limits/own-turns.ts'

/** Larger bodies are refused before they are read. */
export const BODY_LIMIT = 256 * 1024

/** For result reports: 10 MB of documents in base64, plus the rest of the report. */
export const RESULT_LIMIT = 15 * 1024 * 1024

/** Accepts JSON bodies only. Whether a body is required is up to the endpoint. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const coding = request.headers['content-encoding']
    const isPlain = coding === undefined || coding === 'identity'
    done(
      isPlain ? null : Object.assign(new Error('A compressed body.'), { code: 'OTS_COMPRESSED_BODY', statusCode: 415 }),
    )
  })
  app.decorateRequest('hasLargeBody', false)
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (request, body, done) => {
    const read = () => {
      try {
        done(null, readJson(body as Buffer))
      } catch (error) {
        done(error as Error)
      }
    }
    request.hasLargeBody = body.length > LARGE_BODY
    if (request.hasLargeBody) void takeOwnTurn().then(read)
    else read()
  })
}

/** An unparsed body: not JSON, or too large to be parsed in the event loop. */
export class ForeignBody {
  readonly type: 'json' | 'hl7' | 'form'
  readonly bytes: Buffer
  readonly charset: string | undefined

  constructor(type: ForeignBody['type'], bytes: Buffer, charset?: string) {
    this.type = type
    this.bytes = bytes
    this.charset = charset
  }
}
