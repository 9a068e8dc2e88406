import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:tls'
import { Connection, type DropReason } from './mllp-connection.ts'
import { BrokenFraming, frame, Frames } from './mllp-frames.ts'

export interface MllpOptions {
  host: string
  port: number
  /** Encrypts connections. With `ca`, senders must present a certificate that it has signed. */
  tls?: { cert: Buffer; key: Buffer; ca?: Buffer | undefined } | undefined
  /** Answers a message after it has been stored. */
  answer: (message: Buffer, address: string) => Promise<Buffer>
  /** Answers bytes that are not a message. The connection then ends. */
  refuse: (refused: { bytes: Buffer; reason: string; address: string }) => Buffer
  log: { warn: (fields: object, text: string) => void }
  /** Called for every connection that this side ended or refused. */
  onDropped?: (why: DropReason) => void
  limits?: Partial<typeof LIMITS>
}

const LIMITS = {
  messageBytes: 15 * 1024 * 1024,
  /** Each may send a message of full size at the same time. */
  connections: 32,
  /** Keeps one address from taking all connections. */
  connectionsPerAddress: 16,
  /** From the connection to the first byte of a message, including the TLS handshake. */
  firstByteMs: 30_000,
  /** Between messages. */
  idleMs: 600_000,
  /** From the first byte of a message to its last, and again for the sender to accept the answer. */
  messageMs: 60_000,
  /** For the sender to read the last answer. */
  closeMs: 2_000,
}

/** Recorded of bytes that are not a message. */
const REFUSED_BYTES = 64 * 1024

/**
 * Listens for HL7 over MLLP. Each connection reads one message after the other, and answers each before it reads the next.
 * At the limit of connections, in total or of an address, a new one displaces the one that has been idle longest.
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
    this.#secure = options.tls && this.#createSecureServer(options.tls)
    // A sender may close its side after its last message and still wait for the answer.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#admit(socket))
    // For example too many open files: existing connections continue.
    this.#server.on('error', (error) => options.log.warn({ err: error }, 'MLLP listener failed'))
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Resolves with the port. */
  async start(): Promise<number> {
    const { host, port } = this.#options
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  /** Answers complete messages. Incomplete ones were never accepted, and will be sent again. */
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

  /** Makes room for a connection, or drops it if all others are busy. */
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
    connection.endAfter(this.#limits.firstByteMs, 'silent')
    if (this.#secure) this.#secure.emit('connection', socket)
    else void this.#serve(connection, socket)
  }

  #createSecureServer({ cert, key, ca }: NonNullable<MllpOptions['tls']>): SecureServer {
    const isMutual = ca !== undefined
    const options = {
      cert,
      key,
      ca,
      requestCert: isMutual,
      rejectUnauthorized: isMutual,
      minVersion: 'TLSv1.2',
    } as const
    const server = createSecureServer(options, (socket) => {
      const connection = [...this.#connections].find((each) => each.isAt(socket))
      connection?.encrypt(socket)
      if (connection) void this.#serve(connection, socket)
      else socket.destroy()
    })
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      // A connection that we dropped is already reported.
      if (!socket.destroyed || error.code !== 'ECONNRESET') this.#report('tls', socket.remoteAddress ?? '', error.code)
      socket.destroy()
    })
    return server
  }

  #drop(connection: Connection, why: DropReason): void {
    connection.destroy()
    // At once: its place may be needed before its socket is closed.
    this.#connections.delete(connection)
    this.#report(why, connection.address)
  }

  #report(why: DropReason, address: string, code?: string): void {
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
      const bytes = Buffer.concat([frames.peek(REFUSED_BYTES), last]).subarray(0, REFUSED_BYTES)
      const answer = this.#options.refuse({ bytes, reason: error.message, address })
      connection.close(this.#limits.closeMs, frame(answer))
    }
  }

  /** Answers the messages that end in these bytes. False to stop reading. */
  async #read(bytes: Buffer, frames: Frames, connection: Connection): Promise<boolean> {
    const { idleMs, messageMs } = this.#limits
    const { opened } = frames
    let isAnswered = false
    for (const message of frames.read(bytes)) {
      isAnswered = true
      await connection.answer(async () => frame(await this.#options.answer(message, connection.address)), messageMs)
      if (this.#stopped) return false
    }
    // Not restarted by every chunk or line break, so that a message that trickles in times out too.
    if (frames.isOpen && frames.opened !== opened) connection.endAfter(messageMs, 'slow')
    else if (!frames.isOpen && isAnswered) connection.awaitNext(idleMs)
    return true
  }
}

/** Connections in the middle of a message are not idle. */
function longestIdle(connections: Iterable<Connection>): Connection | undefined {
  const idle = [...connections].filter(({ idleSince }) => idleSince !== null)
  return idle.toSorted((a, b) => a.idleSince! - b.idleSince!)[0]
}
