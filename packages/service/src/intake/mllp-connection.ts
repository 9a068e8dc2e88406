import type { Socket } from 'node:net'

/**
 * Why this side ended a connection: no first byte, idle for too long, a message or its answer that took too long, displaced
 * by a new connection, no room for a new connection, TLS handshake failed, invalid framing.
 */
export type DropReason = 'silent' | 'idle' | 'slow' | 'displaced' | 'full' | 'tls' | 'framing'

/** A sender's connection, with a timeout for whatever it waits for. */
export class Connection {
  readonly address: string
  readonly #port: number | undefined
  readonly #raw: Socket
  #socket: Socket
  readonly #onTimeout: (why: DropReason) => void
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  isAnswering = false
  /** Null while a message is received or answered. */
  idleSince: number | null = performance.now()

  constructor(socket: Socket, onTimeout: (why: DropReason) => void) {
    this.address = socket.remoteAddress ?? ''
    this.#port = socket.remotePort
    this.#raw = socket
    this.#socket = socket
    this.#onTimeout = onTimeout
    // A sender that has gone gets no answer, and sends the message again.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#endTimers())
  }

  /** Whether the socket belongs to this connection. */
  isAt({ remoteAddress, remotePort }: Socket): boolean {
    return remoteAddress === this.address && remotePort === this.#port
  }

  /** Uses the encrypted socket from now on. */
  encrypt(socket: Socket): void {
    this.#socket = socket
    socket.on('error', () => undefined)
  }

  bytes(): AsyncIterable<Buffer> {
    // Stopping to read must not destroy the socket before the last answer is sent.
    return this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  }

  /** Ends the connection after this time, unless another timeout replaces this one. */
  endAfter(ms: number, why: DropReason): void {
    if (this.#isOver) return
    if (why === 'slow') this.idleSince = null
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onTimeout(why), ms)
  }

  awaitNext(ms: number): void {
    this.idleSince = performance.now()
    this.endAfter(ms, 'idle')
  }

  /** Sends the result of the work. The timeout is for the sender to accept it, not for the work. */
  async answer(work: () => Promise<Buffer>, withinMs: number): Promise<void> {
    this.isAnswering = true
    this.idleSince = null
    clearTimeout(this.#timer)
    const answer = await work()
    this.endAfter(withinMs, 'slow')
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(answer, (error) => (error ? reject(error) : resolve()))
    })
    this.isAnswering = false
  }

  /** Keeps reading for a moment: unread bytes would reset the connection and lose the last answer. */
  close(withinMs: number, last?: Buffer): void {
    if (last) this.#socket.end(last)
    else this.#socket.end()
    this.#socket.resume()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.destroy(), withinMs)
  }

  destroy(): void {
    this.#endTimers()
    this.#socket.destroy()
    this.#raw.destroy()
  }

  /** After the connection has ended no timeout is set any more, even if work continues. */
  #endTimers(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
