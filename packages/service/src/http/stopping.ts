import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { connectionOf, type Connection } from './connections.ts'

/** How often connections are checked during a stop. */
const SWEEP_MS = 50

/** A connection is closed after this time without a request: one that was on its way has arrived by then. */
const QUIET_MS = 250

/** How long a client may take to close its side of a connection. */
const CLIENT_CLOSES_WITHIN_MS = 1_000

/** At the end of a drain, connections are kept again for this long, at most for half of the drain: hardly any is then opened while the port closes. */
const KEEP_MS = 1_000

/** A turn of the event loop this short leaves no time for a connection between accepting and closing the port. */
const SHORT_TURN_MS = 0.3
const QUIET_TURN_WITHIN_MS = 1_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Reports that the service is not ready, and asks clients to close their connections, while it still answers for this long. */
    drain(ms: number): void
    /** Whether it drains or stops. */
    isStopping: () => boolean
    /** Takes no more connections. To be called before `close`, which makes the framework end connections while more can be opened. */
    closePort(): Promise<void>
  }
}

/**
 * Closes connections as soon as their requests are answered: idle keep-alive connections would delay the stop by a minute. Never
 * resets a connection that may hold an unread request, since a proxy does not repeat a POST whose connection was reset.
 */
export function releaseConnectionsOnStop(app: FastifyInstance): void {
  const open = new Map<Socket, ClosingConnection>()
  let sweep: NodeJS.Timeout | undefined
  let isDraining = false
  const askToClose = (_request: IncomingMessage, response: ServerResponse) => void (response.shouldKeepAlive = false)
  app.decorate('drain', (ms: number) => {
    isDraining = true
    app.server.prependListener('request', askToClose)
    const asksFor = Math.max(ms - KEEP_MS, ms / 2)
    void sleep(asksFor, undefined, { ref: false }).then(() => {
      if (app.server.listening) app.server.off('request', askToClose)
    })
  })
  app.decorate('closePort', async () => {
    if (!app.server.listening) return
    await untilNoneWaits(app.server)
    app.server.prependListener('request', askToClose)
    app.server.close()
  })
  app.server.on('connection', (socket) => {
    open.set(socket, new ClosingConnection(socket))
    socket.once('close', () => open.delete(socket))
  })
  // Node would reset those with an unread request.
  app.server.closeIdleConnections = () => {}
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    // Nobody would get the answer.
    if (open.get(request.raw.socket)?.isEnded) reply.hijack()
    else done()
  })
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      for (const connection of open.values()) connection.check(performance.now())
    }, SWEEP_MS)
    await app.closePort()
  })
  app.addHook('onClose', async () => clearInterval(sweep))
  app.decorate('isStopping', () => isDraining || sweep !== undefined)
}

/**
 * A connection during a stop:
 *
 *     busy ── answered ──▶ quiet ── no request for a while ──▶ ended ── client closes, or takes too long ──▶ closed
 *       ◀──── request ────────┘
 */
class ClosingConnection {
  isEnded = false
  readonly #socket: Socket
  readonly #connection: Connection
  #quietSince: number | undefined
  /** The bytes answered when it became quiet. */
  #bytesAnswered = 0

  constructor(socket: Socket) {
    this.#socket = socket
    this.#connection = connectionOf(socket)
  }

  check(now: number): void {
    const { unanswered, bytesAnswered } = this.#connection
    if (unanswered.length > 0 || (!this.isEnded && this.#socket.bytesRead > bytesAnswered)) {
      this.#quietSince = undefined
      return
    }
    if (this.#bytesAnswered !== bytesAnswered) this.#quietSince = undefined
    this.#bytesAnswered = bytesAnswered
    this.#quietSince ??= now
    if (this.isEnded) {
      if (now - this.#quietSince > CLIENT_CLOSES_WITHIN_MS) this.#socket.destroy()
    } else if (now - this.#quietSince > QUIET_MS) {
      this.isEnded = true
      this.#quietSince = now
      this.#socket.end()
    }
  }
}

/** The system resets connections that were not accepted when the port closes. Node accepts one in each turn of the event loop. */
async function untilNoneWaits(server: Server): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  const begun = performance.now()
  for (;;) {
    await nextTurn()
    accepted = 0
    const turned = performance.now()
    await nextTurn()
    const now = performance.now()
    const noneWaits = accepted === 0 && now - turned < SHORT_TURN_MS
    if (noneWaits || now - begun > QUIET_TURN_WITHIN_MS) break
  }
  server.off('connection', count)
}
