import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { ConfigRefusal, type Config } from './settings.ts'

/** A port that does not answer within this time is not in use, or behind a firewall. */
const ANSWERS_WITHIN_MS = 1_000

/** For "localhost", the framework would open a second server for its second address, which lacks all that we add to the first. */
export const addressOf = async (host: string): Promise<string> =>
  host === 'localhost' ? (await lookup(host, { verbatim: false })).address : host

/** A place to listen on, and the beginning of the names of its settings. */
interface Place {
  port: number
  host: string
  prefix: '' | 'OTS_ADMIN_' | 'OTS_MLLP_'
}

/** Checked before the database starts, so that the most common mistake is reported at once. */
export async function checkPorts({ port, adminPort, mllpPort, host, mllpHost }: Config): Promise<void> {
  await checkPort({ port, host, prefix: '' })
  if (adminPort !== undefined) await checkPort({ port: adminPort, host, prefix: 'OTS_ADMIN_' })
  if (mllpPort !== undefined) await checkPort({ port: mllpPort, host: mllpHost, prefix: 'OTS_MLLP_' })
}

/**
 * Never listens on the port itself: a proxy that connects meanwhile, as during a restart, would be reset when the check is over, and
 * does not repeat a POST.
 */
async function checkPort(place: Place): Promise<void> {
  const anyPort = createServer()
  await refusing(place, () => once(anyPort.listen(0, place.host), 'listening'))
  anyPort.close()
  if (place.port !== 0 && (await isAnswered(place))) throw toRefusal(place, { code: 'EADDRINUSE' })
}

async function isAnswered({ port, host }: Place): Promise<boolean> {
  const socket = connect({ port, host, timeout: ANSWERS_WITHIN_MS })
  const answer = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('timeout', () => resolve(false))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return answer
}

/** Listens; says what to change if that fails. */
export async function refusing<T>(place: Place, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    throw toRefusal(place, error as NodeJS.ErrnoException)
  }
}

export function toRefusal(
  { port, host, prefix }: Place,
  { code, message }: Partial<NodeJS.ErrnoException>,
): ConfigRefusal {
  return new ConfigRefusal(
    code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port: ${prefix}PORT=${port + 1} npm start`
      : `Cannot listen on ${host}:${port}: ${message}. Set ${prefix === 'OTS_MLLP_' ? prefix : ''}HOST and ${prefix}PORT to an address of this machine.`,
  )
}
