import { bytesOf, type RawBody } from './delivery.ts'
import { readBody, receiver, type ReceiverOptions } from './receive.ts'

type NodeHeaders = Record<string, string | string[] | undefined>

/** What the adapter needs of a Node or Express request. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  headers: NodeHeaders
  body?: unknown
}

export interface NodeResponse {
  statusCode: number
  end(): unknown
}

/**
 * A handler for Express, or for `node:http`. Mount it before `express.json()`, or behind `express.raw()`: it needs the bytes
 * of the request. Errors go to `onError`, not to the error handlers of the application.
 */
export function expressWebhook(options: ReceiverOptions) {
  const receive = receiver(options)
  return async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    response.statusCode = await receive(request.headers, () =>
      request.body === undefined ? readBody(request, options.maxBytes) : (request.body as RawBody),
    )
    response.end()
  }
}

/** What the plugin needs of a Fastify instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit?: number },
    parse: (request: unknown, body: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { headers: NodeHeaders; body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/** A Fastify plugin: `app.register(fastifyWebhook, { path, secret, onDelivery })`. Other routes keep their body parsers. */
export async function fastifyWebhook(app: FastifyLike, options: ReceiverOptions & { path: string }): Promise<void> {
  const { maxBytes: bodyLimit = 1_048_576 } = options
  const receive = receiver(options)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_, body, done) => done(null, body))
  app.post(options.path, async ({ body, headers }, reply) =>
    reply.code(await receive(headers, () => (body ?? '') as RawBody)).send(),
  )
}

/** A handler of `Request` and `Response`: for Deno, Bun, Next.js, Hono, Cloudflare Workers. */
export function fetchWebhook(options: ReceiverOptions): (request: Request) => Promise<Response> {
  const receive = receiver(options)
  return async (request) => {
    const read = () => (request.body ? readBody(chunksOf(request.body), options.maxBytes) : bytesOf(''))
    return new Response(null, { status: await receive(request.headers, read) })
  }
}

/** Streams are not iterable in every browser. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
