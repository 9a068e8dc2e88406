import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls'

const END = '\u001C\r'

export const framed = (message: string) => `\u000B${message}${END}`

/** A sender on a real connection. It reads answers one by one. */
export class Sender {
  readonly socket: Socket
  readonly closed: Promise<unknown>
  #received = ''
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      this.#received += bytes.toString()
      this.#wake()
    })
    this.closed = new Promise<void>((resolve) => {
      socket.once('close', resolve)
    }).then(() => this.#wake())
  }

  /** Connects, optionally from another local address. */
  static async to(port: number, localAddress = '127.0.0.1'): Promise<Sender> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const sender = new Sender(socket)
    await once(socket, 'connect')
    return sender
  }

  static async securelyTo(port: number, options: ConnectionOptions): Promise<Sender> {
    const socket = connectSecurely({ port, host: '127.0.0.1', ...options })
    const sender = new Sender(socket)
    await once(socket, 'secureConnect')
    return sender
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes)
  }

  /** The next answer without its frame; undefined if the connection ends first. */
  async answer(): Promise<string | undefined> {
    while (!this.#received.includes(END)) {
      if (this.socket.closed) return undefined
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    const [answer, ...rest] = this.#received.split(END)
    this.#received = rest.join(END)
    return answer!.replace('\u000B', '')
  }
}
