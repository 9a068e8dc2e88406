import type { Socket } from 'node:net'

/**
 * Why this side has ended a connection: no first byte, nothing between messages, a message or its answer that took too
 * long, a newcomer in its place, no place for a newcomer, no encryption agreed on, bytes that are no message.
 */
export type Dropped = 'silent' | 'idle' | 'slow' | 'displaced' | 'full' | 'tls' | 'framing'

/** A sender's connection, which ends when something takes too long. */
export class Connection {
  readonly address: string
  readonly #port: number | undefined
  readonly #raw: Socket
  #socket: Socket
  readonly #onTimeout: (why: Dropped) => void
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  isAnswering = false
  /** Since when nothing is under way; null while a message is. */
  idleSince: number | null = performance.now()

  constructor(socket: Socket, onTimeout: (why: Dropped) => void) {
    this.address = socket.remoteAddress ?? ''
    this.#port = socket.remotePort
    this.#raw = socket
    this.#socket = socket
    this.#onTimeout = onTimeout
    // Whoever is gone gets no answer, and sends the message again.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#endTimers())
  }

  /** Whether a socket is on the other end of the same connection. */
  isAt({ remoteAddress, remotePort }: Socket): boolean {
    return remoteAddress === this.address && remotePort === this.#port
  }

  /** Speaks through the encrypted socket from now on. */
  encrypt(socket: Socket): void {
    this.#socket = socket
    socket.on('error', () => undefined)
  }

  bytes(): AsyncIterable<Buffer> {
    // Ending the reading must not end the connection before its last answer is out.
    return this.#socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  }

  /** Ends the connection unless something else is waited for by then. */
  within(ms: number, why: Dropped): void {
    if (this.#isOver) return
    if (why === 'slow') this.idleSince = null
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onTimeout(why), ms)
  }

  /** Waits for the next message. */
  rest(ms: number): void {
    this.idleSince = performance.now()
    this.within(ms, 'idle')
  }

  /** Our own work takes the time it takes; the sender has so long to take the answer. */
  async answer(work: () => Promise<Buffer>, withinMs: number): Promise<void> {
    this.isAnswering = true
    this.idleSince = null
    clearTimeout(this.#timer)
    const answer = await work()
    this.within(withinMs, 'slow')
    await new Promise<void>((resolve, reject) => {
      this.#socket.write(answer, (error) => (error ? reject(error) : resolve()))
    })
    this.isAnswering = false
  }

  /** Reads on for a moment: bytes that nobody reads would take the last answer with them. */
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

  /** Work that goes on without its sender waits for nothing more. */
  #endTimers(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
