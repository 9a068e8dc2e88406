import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:tls'
import { Connection, type Dropped } from './mllp-connection.ts'
import { BrokenFraming, framed, Frames } from './mllp-frames.ts'

export interface MllpOptions {
  host: string
  port: number
  /** Encrypts connections; with `ca`, senders have to show a certificate that it has signed. */
  tls?: { cert: Buffer; key: Buffer; ca?: Buffer | undefined } | undefined
  /** The answer to a message, given once what it says is kept. */
  answer: (message: Buffer, address: string) => Promise<Buffer>
  /** The answer to bytes that are no message, after which the connection ends. */
  refuse: (refused: { bytes: Buffer; reason: string; address: string }) => Buffer
  log: { warn: (told: object, text: string) => void }
  /** Told of every connection that this side has ended or not let in. */
  onDropped?: (why: Dropped) => void
  limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  messageBytes: 15 * 1024 * 1024,
  /** Senders hold one each; all may bring a message of full size at once. */
  connections: 32,
  /** Of one address, so that one sender cannot take all of them. */
  connectionsPerAddress: 16,
  /** From the start of a connection to the first byte of a message, encryption included. */
  firstByteMs: 30_000,
  /** Between messages. */
  idleMs: 600_000,
  /** From the first byte of a message to its last, and for the sender to take the answer. */
  messageMs: 60_000,
  /** For the sender to read why the connection ends. */
  closeMs: 2_000,
}

/** What is kept of bytes that are no message. */
const REFUSED_BYTES = 64 * 1024

/**
 * A listener for HL7 over MLLP: on each connection one message after the other, each answered before the next is read.
 * When all connections are taken, or all of an address, a new one takes the place of the one that has been idle longest.
 */
export class MllpListener {
  readonly #options: MllpOptions
  readonly #limits: typeof LIMITS
  readonly #server: Server
  readonly #secure: SecureServer | undefined
  readonly #connections = new Set<Connection>()
  #stopped: Promise<void> | undefined

  constructor(options: MllpOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#secure = options.tls && this.#encrypting(options.tls)
    // A sender may close its side behind its last message, and still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#admit(socket))
    // Such as too many open files: those who are connected go on.
    this.#server.on('error', (error) => options.log.warn({ err: error }, 'MLLP listener failed'))
  }

  get connections(): number {
    return this.#connections.size
  }

  /** The port that is listened on. */
  async start(): Promise<number> {
    const { host, port } = this.#options
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Messages in hand are answered; what has only begun to arrive was never accepted, and will be sent again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#connections) if (!connection.isAnswering) connection.destroy()
    await closed
  }

  /** Makes room for a connection, or ends it where every other is busy. */
  #admit(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    const ofAddress = [...this.#connections].filter((connection) => connection.address === address)
    const isFull = this.#connections.size >= this.#limits.connections
    const crowd = ofAddress.length >= this.#limits.connectionsPerAddress ? ofAddress : isFull ? this.#connections : []
    const idlest = longestIdle(crowd)
    if (idlest) this.#drop(idlest, 'displaced')
    else if ([...crowd].length > 0) {
      socket.destroy()
      return this.#report('full', address)
    }
    const connection = new Connection(socket, (why) => this.#drop(connection, why))
    this.#connections.add(connection)
    socket.once('close', () => this.#connections.delete(connection))
    connection.within(this.#limits.firstByteMs, 'silent')
    if (this.#secure) this.#secure.emit('connection', socket)
    else void this.#serve(connection, socket)
  }

  #encrypting({ cert, key, ca }: NonNullable<MllpOptions['tls']>): SecureServer {
    const isAsked = ca !== undefined
    const options = { cert, key, ca, requestCert: isAsked, rejectUnauthorized: isAsked, minVersion: 'TLSv1.2' } as const
    const server = createSecureServer(options, (socket) => {
      const connection = [...this.#connections].find((each) => each.isAt(socket))
      connection?.encrypt(socket)
      if (connection) void this.#serve(connection, socket)
      else socket.destroy()
    })
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      // Who was sent away is told of already.
      if (!socket.destroyed || error.code !== 'ECONNRESET') this.#report('tls', socket.remoteAddress ?? '', error.code)
      socket.destroy()
    })
    return server
  }

  #drop(connection: Connection, why: Dropped): void {
    connection.destroy()
    // At once: its place may be wanted before its socket is closed.
    this.#connections.delete(connection)
    this.#report(why, connection.address)
  }

  #report(why: Dropped, address: string, code?: string): void {
    this.#options.onDropped?.(why)
    this.#options.log.warn({ why, address, ...(code !== undefined && { code }) }, 'Dropped MLLP connection')
  }

  async #serve(connection: Connection, socket: Socket): Promise<void> {
    const frames = new Frames(this.#limits.messageBytes)
    let last: Buffer = Buffer.alloc(0)
    try {
      for await (const bytes of connection.bytes()) {
        last = bytes
        if (!(await this.#read(bytes, frames, connection))) break
      }
      if (this.#stopped) socket.destroySoon()
      else connection.close(this.#limits.closeMs)
    } catch (error) {
      if (!(error instanceof BrokenFraming)) return connection.destroy()
      const { address } = connection
      this.#report('framing', address)
      const bytes = Buffer.concat([frames.begun(REFUSED_BYTES), last]).subarray(0, REFUSED_BYTES)
      const answer = this.#options.refuse({ bytes, reason: error.message, address })
      connection.close(this.#limits.closeMs, framed(answer))
    }
  }

  /** Answers the messages that end in these bytes; false where no more are to be read. */
  async #read(bytes: Buffer, frames: Frames, connection: Connection): Promise<boolean> {
    const { idleMs, messageMs } = this.#limits
    const { opened } = frames
    let isAnswered = false
    for (const message of frames.read(bytes)) {
      isAnswered = true
      await connection.answer(async () => framed(await this.#options.answer(message, connection.address)), messageMs)
      if (this.#stopped) return false
    }
    // Neither for every part of a message nor for line breaks between them: what trickles in must end too.
    if (frames.isOpen && frames.opened !== opened) connection.within(messageMs, 'slow')
    else if (!frames.isOpen && isAnswered) connection.rest(idleMs)
    return true
  }
}

/** Those that are in the middle of a message are not idle. */
function longestIdle(connections: Iterable<Connection>): Connection | undefined {
  const idle = [...connections].filter(({ idleSince }) => idleSince !== null)
  return idle.toSorted((a, b) => a.idleSince! - b.idleSince!)[0]
}
