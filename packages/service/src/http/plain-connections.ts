import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionOf, type Connection } from './connections.ts'
import { PlainExchange } from './plain-exchange.ts'
import { readPlainRequest, type PlainRequest } from './plain-request.ts'
import { batchPerTurn } from './turn-batches.ts'

export interface PlainOptions {
  /** The beginning of the URLs that may be answered. */
  prefix: string
  /** Answers a request, or returns false to leave it to Node. */
  answer: (exchange: PlainExchange) => boolean
  /** Whether any may be answered at the moment. */
  isOpen: () => boolean
}

/**
 * Reads plain requests without Node's parser and answers those that `answer` takes. It saves the objects that Node makes for each:
 * reads of an order come at 1.28 times the rate (`npm run bench -- read catalog`, without the call, builds in turn; decision 8). To be
 * removed when `node:http` costs no more than this.
 *
 * Each connection is set up by Node, whose timeouts and limits stay as they are, and every byte that is not answered here goes on to it.
 */
export function readPlainRequests(server: Server, options: PlainOptions): void {
  const begin = batchPerTurn((reader: PlainReader) => reader.begin())
  server.on('connection', (socket: Socket) => {
    const [toNode] = socket.listeners('data') as DataListener[]
    if (toNode) new PlainReader(socket, toNode, { ...options, keepAliveMs: server.keepAliveTimeout, begin }).start()
  })
}

type DataListener = (bytes: Buffer) => void

interface ReaderOptions extends PlainOptions {
  keepAliveMs: number
  /** Calls `begin` of a reader at the end of the turn. */
  begin: (reader: PlainReader) => void
}

/**
 * Who reads the next bytes of a connection. Node begins, since it limits the time until the first request.
 *
 * | state | event                                                                | next  |
 * |-|-|-|
 * | given | the rest of the request arrives, and it is answered                  | free  |
 * | free  | a GET that may be answered here                                      | asked |
 * | free  | another plain request, which Node gets                               | given |
 * | asked | it is answered                                                       | free  |
 * | asked | only the framework can answer it, so Node gets it                    | given |
 * | asked | more arrives: it is held until the answer, then Node gets it         | left  |
 * | any   | what is not plain, or comes before the request before it is answered | left  |
 * | left  | Node reads to the end of the connection                              |       |
 */
class PlainReader {
  readonly #socket: Socket
  readonly #connection: Connection
  readonly #toNode: DataListener
  readonly #options: ReaderOptions
  #isFirst = true
  /** What Node's request still lacks. */
  #bytesToCome = 0
  /** The request that we answer. */
  #asked: { head: PlainRequest; bytes: Buffer } | undefined
  /** What arrived meanwhile. */
  #held: Buffer[] = []

  constructor(socket: Socket, toNode: DataListener, options: ReaderOptions) {
    this.#socket = socket
    this.#connection = connectionOf(socket)
    this.#toNode = toNode
    this.#options = options
  }

  start(): void {
    this.#socket.off('data', this.#toNode)
    this.#socket.on('data', this.#read)
  }

  begin(): void {
    // Nobody would get the answer.
    if (!this.#socket.writable) return
    const { head, bytes } = this.#asked!
    const exchange = new PlainExchange(head, this.#socket, {
      keepAliveMs: this.#options.keepAliveMs,
      onEnd: () => this.#end(),
      onLeave: (handover) => {
        if (!this.#socket.writable) return
        this.#connection.handover = handover
        this.#giveOne(head, bytes)
        this.#end()
      },
    })
    if (!this.#options.answer(exchange)) exchange.leave()
  }

  readonly #read = (bytes: Buffer): void => {
    if (this.#asked) {
      this.#held.push(bytes)
      this.#socket.pause()
      return
    }
    const isRest = bytes.length <= this.#bytesToCome
    if (isRest) {
      this.#bytesToCome -= bytes.length
      return this.#toNode(bytes)
    }
    const isBetweenRequests = this.#bytesToCome === 0 && this.#connection.unanswered.length === 0
    const head = isBetweenRequests ? readPlainRequest(bytes) : null
    if (!head || head.length < bytes.length) return this.#giveAll(bytes)
    if (!this.#isOurs(head)) return this.#giveOne(head, bytes)
    this.#asked = { head, bytes }
    this.#options.begin(this)
  }

  #isOurs({ method, url, headers }: PlainRequest): boolean {
    const { prefix, isOpen } = this.#options
    const hasBody = headers['content-length'] !== undefined || headers['content-encoding'] !== undefined
    const isAnswerable = method === 'GET' && !hasBody && url.startsWith(prefix) && !this.#isFirst
    // Node stops reading while a client does not take its answers.
    const isTaking = this.#socket.writable && !this.#socket.writableNeedDrain
    return isAnswerable && isTaking && !this.#connection.isRefused && isOpen()
  }

  #giveOne({ length }: PlainRequest, bytes: Buffer): void {
    this.#isFirst = false
    this.#bytesToCome = length - bytes.length
    this.#toNode(bytes)
  }

  #giveAll(bytes: Buffer): void {
    this.#socket.off('data', this.#read)
    this.#socket.on('data', this.#toNode)
    this.#toNode(bytes)
  }

  #end(): void {
    this.#asked = undefined
    this.#connection.bytesAnswered = this.#socket.bytesRead
    if (this.#held.length > 0) this.#giveHeld()
  }

  #giveHeld(): void {
    const held = Buffer.concat(this.#held)
    this.#held = []
    this.#connection.bytesAnswered -= held.length
    // Node may pause it again.
    this.#socket.resume()
    this.#giveAll(held)
  }
}
