import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Handover } from './handover.ts'

/** How long a client may go on sending after the last answer of its connection, and read that answer. */
const LINGER_MS = 3_000

const connections = new WeakMap<object, Connection>()

/** What is under way on a connection. */
export function connectionOf(socket: Duplex): Connection {
  const known = connections.get(socket)
  if (known) return known
  const connection = new Connection(socket)
  connections.set(socket, connection)
  return connection
}

/**
 * Closes connections whose last request is still arriving only after a while. The system resets a connection that is closed with
 * unread input, and the client then may never read the answer that says what is wrong with its request.
 */
export function lingerOnClose(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket)
    // Node calls it after an answer with `Connection: close`, and discards the rest of the request.
    socket.destroySoon = () => {
      if (connectionOf(socket).isArriving) endGently(socket)
      else destroySoon()
    }
  })
}

/** Ends our side of a connection, and soon the whole. */
export function endGently(socket: Duplex, lastWords?: string): void {
  if (!socket.writable) return
  if (lastWords !== undefined) socket.write(lastWords)
  socket.end(() => void setTimeout(() => socket.destroy(), LINGER_MS).unref())
}

/**
 * Its requests, which may be sent before earlier ones are answered. Node then reports them at once, but gives each response its
 * socket only when the ones before it are sent.
 */
export class Connection {
  /** In the order of their requests; most connections have one at most. */
  readonly unanswered: ServerResponse[] = []
  /** When the last request was answered: more than these bytes belong to a request that is still arriving. */
  bytesAnswered = 0
  /** What happened to the next request before Node was given it to read. */
  handover: Handover | undefined
  /** It ends with a refusal. */
  isRefused = false
  /** The request that the refusal answers. */
  refused: ServerResponse | undefined
  /** The last request, if it was answered before all of it had arrived. */
  #answeredEarly: IncomingMessage | undefined
  readonly #socket: Duplex & { bytesRead?: number }

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  get isArriving(): boolean {
    const last = this.unanswered.at(-1)?.req ?? this.#answeredEarly
    return last !== undefined && !last.complete
  }

  takeHandover(): Handover | undefined {
    const { handover } = this
    this.handover = undefined
    return handover
  }

  begin(response: ServerResponse): void {
    this.unanswered.push(response)
    this.#answeredEarly = undefined
    response.on('close', this.#end)
  }

  /** Responses close once, and in the order of their requests. */
  readonly #end = (): void => {
    const { req } = this.unanswered.shift()!
    this.bytesAnswered = this.#socket.bytesRead ?? 0
    if (!req.complete) this.#answeredEarly = req
  }

  /**
   * Refuses what came after the last request, or the rest of its body; with `instead`, that request itself. The requests before it
   * are answered first. Nothing after it is answered, so only the first refusal counts.
   */
  refuse(send: () => void, instead?: ServerResponse): void {
    if (this.isRefused) return
    this.isRefused = true
    const last = this.unanswered.at(-1)
    this.refused = instead ?? (last?.req.complete ? undefined : last)
    if (this.refused && !this.refused.socket) this.refused.once('socket', send)
    else if (this.refused) send()
    else if (last) last.once('close', send)
    else if (this.isArriving) endGently(this.#socket)
    else send()
  }
}
