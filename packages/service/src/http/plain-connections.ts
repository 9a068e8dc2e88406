import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { connectionOf, type Connection } from './connections.ts'
import { PlainExchange } from './plain-exchange.ts'
import { readPlainHead, type PlainHead } from './plain-request.ts'
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
 * reads of an order take 62 instead of 71 µs of the process (`npm run bench -- read catalog`, without the call, builds in turn). To
 * be removed when `node:http` costs no more than this.
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
 * Who reads a connection. Node begins, since it limits the time until the first request.
 *
 *     Node, one request ── all of it has arrived and is answered ──▶ nobody ── a GET that we may answer ──▶ we ── answered ──▶ nobody
 *          ◀────────────────────── any other plain request ────────────┘         │
 *          ◀──────────────────── a request that only the framework can answer ───┘
 *
 * Node reads the connection to its end after anything that is not plain, and after a request that came before the one before it
 * was answered.
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
  #asked: { head: PlainHead; bytes: Buffer } | undefined
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
    const { head, bytes } = this.#asked!
    const exchange = new PlainExchange(head, this.#socket, {
      keepAliveMs: this.#options.keepAliveMs,
      onEnd: () => this.#end(),
      onLeave: (handover) => {
        // Nobody would get the answer.
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
    const head = isBetweenRequests ? readPlainHead(bytes) : null
    if (!head || head.length < bytes.length) return this.#giveAll(bytes)
    if (!this.#isOurs(head)) return this.#giveOne(head, bytes)
    this.#asked = { head, bytes }
    this.#options.begin(this)
  }

  #isOurs({ method, url, headers }: PlainHead): boolean {
    const { prefix, isOpen } = this.#options
    const hasBody = headers['content-length'] !== undefined || headers['content-encoding'] !== undefined
    const isAnswerable = method === 'GET' && !hasBody && url.startsWith(prefix) && !this.#isFirst
    // Node stops reading while a client does not take its answers.
    const isTaking = this.#socket.writable && !this.#socket.writableNeedDrain
    return isAnswerable && isTaking && !this.#connection.isRefused && isOpen()
  }

  #giveOne({ length }: PlainHead, bytes: Buffer): void {
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
    this.#giveAll(held)
    this.#socket.resume()
  }
}
