import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { refuseHl7 } from './hl7-door.ts'
import { BrokenFraming, framed, Frames } from './mllp-frames.ts'
import { NotTaken } from './not-taken.ts'

export interface MllpOptions {
  host: string
  port: number
  /** The answer to a message, given once what it says is kept. */
  answer: (message: Buffer) => Promise<Buffer>
  log: { warn: (told: object, text: string) => void }
  now?: () => Date
  limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  messageBytes: 15 * 1024 * 1024,
  /** Senders hold one each; all may bring a message of full size at once. */
  connections: 32,
  /** Between messages. */
  idleMs: 600_000,
  /** From the first byte of a message to its last, and for the sender to take the answer. */
  messageMs: 60_000,
  /** For the sender to read why the connection ends. */
  closeMs: 2_000,
}

/** A listener for HL7 over MLLP: on each connection one message after the other, each answered before the next is read. */
export class MllpListener {
  readonly #options: MllpOptions
  readonly #limits: typeof LIMITS
  readonly #server: Server
  readonly #connections = new Set<Connection>()
  #isStopping = false

  constructor(options: MllpOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    // A sender may close its side behind its last message, and still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket))
    this.#server.maxConnections = this.#limits.connections
    // Such as too many open files: those who are connected go on.
    this.#server.on('error', (error) => options.log.warn({ err: error }, 'the MLLP listener met an error'))
    this.#server.on('drop', () => options.log.warn({ most: this.#limits.connections }, 'too many MLLP connections'))
  }

  /** The port that is listened on. */
  async start(): Promise<number> {
    const { host, port } = this.#options
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Messages in hand are answered; what has only begun to arrive was never accepted, and will be sent again. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#connections) if (!connection.isAnswering) connection.socket.destroy()
    await closed
  }

  async #serve(socket: Socket): Promise<void> {
    const connection = new Connection(socket, this.#limits)
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
    try {
      await this.#converse(connection)
      if (this.#isStopping) socket.destroySoon()
      else connection.close()
    } catch (error) {
      if (!(error instanceof BrokenFraming)) return void socket.destroy()
      const { now = () => new Date() } = this.#options
      connection.close(framed(refuseHl7(Buffer.alloc(0), new NotTaken(102, error.message), now()).bytes))
    }
  }

  async #converse(connection: Connection): Promise<void> {
    const frames = new Frames(this.#limits.messageBytes)
    connection.within(this.#limits.idleMs)
    for await (const bytes of connection.bytes()) {
      const { opened } = frames
      for (const message of frames.read(bytes)) {
        await connection.answer(() => this.#options.answer(message))
        if (this.#isStopping) return
      }
      if (!frames.isOpen) connection.within(this.#limits.idleMs)
      // Not for every part of it: a message that trickles in must end too.
      else if (frames.opened !== opened) connection.within(this.#limits.messageMs)
    }
  }
}

/** A sender's connection, which ends when something takes too long. */
class Connection {
  readonly socket: Socket
  readonly #limits: typeof LIMITS
  #timer: NodeJS.Timeout | undefined
  isAnswering = false

  constructor(socket: Socket, limits: typeof LIMITS) {
    this.socket = socket
    this.#limits = limits
    // Whoever is gone gets no answer, and sends the message again.
    socket.on('error', () => undefined)
    socket.once('close', () => clearTimeout(this.#timer))
  }

  bytes(): AsyncIterable<Buffer> {
    // Ending the reading must not end the connection before its last answer is out.
    return this.socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  }

  within(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.socket.destroy(), ms)
  }

  /** Our own work takes the time it takes. */
  async answer(work: () => Promise<Buffer>): Promise<void> {
    this.isAnswering = true
    clearTimeout(this.#timer)
    const answer = framed(await work())
    this.within(this.#limits.messageMs)
    await new Promise<void>((resolve, reject) => {
      this.socket.write(answer, (error) => (error ? reject(error) : resolve()))
    })
    this.isAnswering = false
  }

  /** Reads on for a moment: bytes that nobody reads would take the last answer with them. */
  close(last?: Buffer): void {
    if (last) this.socket.end(last)
    else this.socket.end()
    this.socket.resume()
    this.within(this.#limits.closeMs)
  }
}
