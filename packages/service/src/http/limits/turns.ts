import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Pipelined requests that may wait on one connection. */
export const MOST_PIPELINED = 32

/** The requests of a connection that has sent one before the last was answered; most never do. */
interface Line {
  waiting: number
  /** One request too many was sent: the connection is closed after its refusal. */
  isEnded: boolean
}

/** The last request of each connection, and the one before it if that is not answered yet. */
const latest = new WeakMap<object, { response: ServerResponse; before?: ServerResponse }>()
const lines = new WeakMap<object, Line>()
const excess = new WeakSet<IncomingMessage>()

/**
 * Answers the requests of a connection one after the other. A client that sends a change and a read together expects the read to
 * see the change, but Node reports both at once. Replaces the last listener, so it is to be called when all listeners are set.
 */
export function answerInTurn(server: Server): void {
  type Listener = (this: Server, request: IncomingMessage, response: ServerResponse) => void
  const [answer] = server.listeners('request').slice(-1) as [Listener]
  server.off('request', answer)
  server.on('request', (request, response) => {
    const { socket } = request
    const before = latest.get(socket)?.response
    if (!before || before.closed) {
      latest.set(socket, { response })
      return answer.call(server, request, response)
    }
    const line = lineOf(socket)
    if (line.isEnded) return
    latest.set(socket, { response, before })
    line.waiting += 1
    if (line.waiting > MOST_PIPELINED) {
      line.isEnded = true
      excess.add(request)
    }
    before.once('close', () => {
      line.waiting -= 1
      if (!socket.destroyed) answer.call(server, request, response)
    })
  })
}

/** Whether too many requests waited on its connection when this one came. */
export const isExcess = (request: IncomingMessage): boolean => excess.has(request)

/** Calls back when all requests that have arrived on a connection are answered; one whose body is incomplete has not. */
export function afterAnswers(socket: object, then: () => void): void {
  const { response, before } = latest.get(socket) ?? {}
  const last = response?.req.complete ? response : before
  if (!last || last.closed) then()
  else last.once('close', then)
}

function lineOf(socket: object): Line {
  const line = lines.get(socket) ?? { waiting: 0, isEnded: false }
  lines.set(socket, line)
  return line
}
