import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Handover } from './handover.ts'
import type { PlainRequest } from './plain-request.ts'
import type { RawResponse } from './sending.ts'

interface Ends {
  keepAliveMs: number
  onEnd: () => void
  onLeave: (handover?: Handover) => void
}

/** A request that Node has not read, and its response, which has the head that Node would give it. */
export class PlainExchange implements RawResponse {
  readonly url: string
  readonly headers: PlainRequest['headers']
  readonly socket: Socket
  statusCode = 0
  readonly #ends: Ends
  #head = ''

  constructor({ url, headers }: PlainRequest, socket: Socket, ends: Ends) {
    this.url = url
    this.headers = headers
    this.socket = socket
    this.#ends = ends
  }

  get raw(): RawResponse {
    return this
  }

  /** Leaves the request to Node and the framework. */
  readonly leave = (handover?: Handover): void => this.#ends.onLeave(handover)

  writeHead(status: number, fields: readonly string[]): void {
    this.statusCode = status
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
    for (let i = 0; i < fields.length; i += 2) head += `${fields[i]}: ${fields[i + 1]}\r\n`
    const seconds = Math.floor(this.#ends.keepAliveMs / 1000)
    this.#head = `${head}Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`
  }

  end(body?: Uint8Array): void {
    const { socket } = this
    if (!socket.writable) return
    socket.cork()
    socket.write(this.#head, 'latin1')
    if (body) socket.write(body)
    socket.uncork()
    this.#ends.onEnd()
  }

  destroy(): void {
    this.socket.destroy()
  }
}

let date = { second: 0, text: '' }

/** Composed once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
  return date.text
}
