import { connect, type Socket } from 'node:net'
import type { Answer } from './answers.ts'

/** How long we wait before we send an ending. */
const ENDING_MS = 30
/** How long a server may be silent before we take it to be waiting for more. */
const SILENCE_MS = 1_000
const PATIENCE_MS = 5_000

interface Manner {
  /** The method of the request, where it matters for reading the answer. */
  method?: string
  /** Sent behind the bytes to a server that waits for more. */
  ending?: string
}

/** Sends bytes as they are on a connection of their own, and reads the answers until the server closes it. */
export async function exchange(
  origin: string,
  bytes: Uint8Array | string,
  { method = '', ending = '' }: Manner = {},
): Promise<Answer[]> {
  const socket = await open(origin)
  socket.write(bytes)
  const timer = setTimeout(() => socket.writable && socket.write(ending), ENDING_MS)
  const received = await drain(socket)
  clearTimeout(timer)
  return readAnswers(received, method)
}

/** The same, where there must be one answer. */
export async function exchangeOne(origin: string, bytes: Uint8Array | string, manner?: Manner): Promise<Answer> {
  const [answer, ...more] = await exchange(origin, bytes, manner)
  if (!answer || more.length > 0) throw new Error(`${answer ? more.length + 1 : 0} answers instead of one`)
  return answer
}

export function open(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Everything the server sends until it closes the connection; silence is met by closing our side of it. */
function drain(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    const silence = setTimeout(() => socket.end(), SILENCE_MS)
    const patience = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection stayed open after:\n${Buffer.concat(chunks).toString('latin1')}`))
    }, PATIENCE_MS)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      silence.refresh()
    })
    // A server may close on us while we still write; what it said before counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(silence)
      clearTimeout(patience)
      resolve(Buffer.concat(chunks))
    })
  })
}

/** Takes what came over a connection apart; throws where it is not a row of whole answers. */
export function readAnswers(bytes: Buffer, method = ''): Answer[] {
  const answers: Answer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`No whole answer: ${rest.toString('latin1')}`)
    const [line = '', ...fields] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    const headers = new Headers(fields.map((field) => splitField(field)))
    rest = rest.subarray(end + 4)
    if (status === 100) continue
    const length = method === 'HEAD' ? 0 : Number(headers.get('content-length'))
    if (!(status >= 200) || !(length <= rest.length)) throw new Error(`No whole answer: ${bytes.toString('latin1')}`)
    answers.push({ status, headers, text: rest.subarray(0, length).toString('utf8') })
    rest = rest.subarray(length)
  }
  return answers
}

function splitField(field: string): [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon), field.slice(colon + 1).trim()]
}
