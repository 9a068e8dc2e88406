import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import { OrderTesting, type ClientOptions } from '../src/index.ts'

export const TOKEN = 'token-that-nobody-may-see-0001'

export interface Seen {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

type Answer = (response: ServerResponse, seen: Seen) => void

const open: { server: Server; sockets: Set<Socket> }[] = []

export function closeServersAfterEach(): void {
  afterEach(async () => {
    for (const { server, sockets } of open.splice(0)) {
      sockets.forEach((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    }
  })
}

/** A server with one answer per request, the last one repeated; and a client of it. */
export async function answering(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const server = createHttp((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      seen.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      const answer = answers[Math.min(seen.length, answers.length) - 1]!
      answer(response, seen.at(-1)!)
    })
  })
  const origin = await listening(server)
  return { seen, origin, client: new OrderTesting({ token: TOKEN, baseUrl: origin, ...options }) }
}

/** A server that does with a connection whatever the test wants; and a client of it. */
export async function rawServer(serve: (socket: Socket) => void, options: Partial<ClientOptions> = {}) {
  const origin = await listening(createTcp(serve))
  return { origin, client: new OrderTesting({ token: TOKEN, baseUrl: origin, ...options }) }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)

export const cut: Answer = (response) => response.socket?.destroy()

/** The error of a call that must fail. */
export async function failure<E extends Error>(call: PromiseLike<unknown>): Promise<E> {
  return Promise.resolve(call).then(
    () => {
      throw new Error('The call succeeded.')
    },
    (error: E) => error,
  )
}

export const problem = (status: number, code: string, pointer?: string) => ({
  error: 'Refused',
  statusCode: status,
  errors: [{ code, detail: 'What is wrong.', ...(pointer && { source: { pointer } }) }],
})

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  open.push({ server, sockets })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
