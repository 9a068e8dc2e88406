import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

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
 * Its requests, which may be sent before earlier ones are answered. Node then reports them at once, but gives each response its
 * socket only when the ones before it are sent.
 */
export class Connection {
  /** In the order of their requests; most connections have one at most. */
  readonly unanswered: ServerResponse[] = []
  /** When the last request was answered: more than these bytes belong to a request that is still arriving. */
  bytesAnswered = 0
  /** It ends with a refusal. */
  isRefused = false
  /** The request that the refusal answers. */
  refused: ServerResponse | undefined
  readonly #socket: Duplex & { bytesRead?: number }

  constructor(socket: Duplex) {
    this.#socket = socket
  }

  begin(response: ServerResponse): void {
    this.unanswered.push(response)
    response.once('close', () => {
      this.unanswered.shift()
      this.bytesAnswered = this.#socket.bytesRead ?? 0
    })
  }

  /**
   * Refuses what came after the last request, or the rest of its body; with `instead`, that request itself. The requests before it
   * are answered first. Nothing after it is answered, so only the first refusal counts.
   */
  refuse(send: () => void, instead?: ServerResponse): void {
    if (this.isRefused) return
    this.isRefused = true
    // What arrives would only fill memory.
    this.#socket.pause()
    const last = this.unanswered.at(-1)
    this.refused = instead ?? (last?.req.complete ? undefined : last)
    if (this.refused && !this.refused.socket) this.refused.once('socket', send)
    else if (this.refused || !last) send()
    else last.once('close', send)
  }
}
