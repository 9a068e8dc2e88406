import { once } from 'node:events'
import { createServer as createHttp, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { Sender, type SenderOptions } from '../../src/webhooks/sender.ts'
import { SELF_SIGNED } from './certificate.ts'

const started: { close(): Promise<void> }[] = []

/** Ends what a test started. */
export async function closeAll(): Promise<void> {
  await Promise.all(started.splice(0).map((each) => each.close()))
}

export interface Receiver {
  port: number
  url: string
  /** The addresses at which connections arrived, in order. */
  arrivals: string[]
  /** Connections that are open now. */
  open(): number
  /** Cuts every open connection. */
  cut(): void
}

/** A receiver that does with a connection whatever the test wants. */
export function rawReceiver(serve: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> {
  return listening(createTcp(serve), host)
}

/** A receiver that writes these bytes once a request has begun to arrive, and leaves the connection open. */
export function bytesReceiver(answer: string | Buffer): Promise<Receiver> {
  return rawReceiver((socket) => socket.once('data', () => socket.write(answer)))
}

/** Writes byte after byte. */
export function dripping(
  text: string,
  start = '',
  { host, everyMs = 10 }: { host?: string; everyMs?: number } = {},
): Promise<Receiver> {
  return rawReceiver(
    (socket) =>
      socket.once('data', () => {
        let at = 0
        if (start) socket.write(start)
        const timer = setInterval(() => socket.write(text[at++ % text.length]!), everyMs)
        socket.on('close', () => clearInterval(timer))
      }),
    host,
  )
}

/** Writes the same text over and over, as fast as it is taken. */
export function flooding(
  start: string,
  text: string,
  { host, sent = () => {} }: { host?: string; sent?: (bytes: number) => void } = {},
): Promise<Receiver> {
  return rawReceiver(
    (socket) =>
      socket.once('data', () => {
        const block = text.repeat(Math.ceil(16_384 / text.length))
        const pump = () => {
          while (!socket.destroyed && socket.write(block)) sent(socket.bytesWritten)
        }
        socket.write(start)
        socket.on('drain', pump)
        pump()
      }),
    host,
  )
}

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  method: string
  path: string
}

export async function httpReceiver(
  answer: RequestListener = (_, response) => response.end(),
  { host = '127.0.0.1', secure = false } = {},
): Promise<Receiver & { requests: Received[] }> {
  const requests: Received[] = []
  const serve: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { headers, method = '', url: path = '' } = request
      requests.push({ headers, body: Buffer.concat(chunks), method, path })
      answer(request, response)
    })
  }
  const server = secure ? createHttps(SELF_SIGNED, serve) : createHttp(serve)
  const receiver = await listening(server, host)
  return { ...receiver, url: secure ? receiver.url.replace('http:', 'https:') : receiver.url, requests }
}

async function listening(server: Server, host: string): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const arrivals: string[] = []
  server.on('connection', (socket) => {
    arrivals.push(socket.localAddress?.replace(/^::ffff:/, '') ?? '')
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  const cut = () => sockets.forEach((socket) => socket.destroy())
  started.push({
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}/hook`, arrivals, open: () => sockets.size, cut }
}

/** One that may reach the loopback, where receivers of tests are. */
export function openSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = new Sender({ allow: ['127.0.0.0/8', '::1/128'], timeoutMs: 5_000, ...options })
  started.push(sender)
  return sender
}

export const request = (url: string, headers: Record<string, string> = {}, body = Buffer.from('{"id":"evt_1"}')) => ({
  url,
  headers,
  body,
})
