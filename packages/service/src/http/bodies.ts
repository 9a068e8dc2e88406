import type { FastifyInstance } from 'fastify'
import { readJson } from '../domain/json.ts'

/** Bodies larger than this are refused before they are read. */
export const BODY_LIMIT = 256 * 1024

/** Where documents come in: 10 MB of them in base64, and what is said beside. */
export const RESULT_LIMIT = 15 * 1024 * 1024

/** Takes JSON bodies, and nothing else. No body at all is left to the endpoint, some of which do without. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const coding = request.headers['content-encoding']
    done(coding === undefined || coding === 'identity' ? null : compressed())
  })
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) => {
    try {
      done(null, readJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** As the framework says that it cannot read a body's type. */
const compressed = () => Object.assign(new Error('A compressed body.'), { code: 'OTS_COMPRESSED_BODY' })

/** A body that is left as it came: not JSON, or too large to be parsed in the event loop. */
export class ForeignBody {
  readonly type: 'json' | 'hl7'
  readonly bytes: Buffer
  readonly charset: string | undefined

  constructor(type: ForeignBody['type'], bytes: Buffer, charset?: string) {
    this.type = type
    this.bytes = bytes
    this.charset = charset
  }
}
