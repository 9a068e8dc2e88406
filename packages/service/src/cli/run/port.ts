import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { ConfigRefusal, type Config } from './settings.ts'

/** A port that does not answer within this time is not in use, or behind a firewall. */
const ANSWERS_WITHIN_MS = 1_000

/** For "localhost", the framework would open a second server for its second address, which lacks all that we add to the first. */
export const addressOf = async (host: string): Promise<string> =>
  host === 'localhost' ? (await lookup(host, { verbatim: false })).address : host

/** An address to listen on, and the beginning of the names of its settings. */
interface Address {
  port: number
  host: string
  prefix: '' | 'OTS_ADMIN_' | 'OTS_MLLP_'
}

/**
 * Checked before the database starts, so that the most common mistake, a port in use, is reported at once. What only an attempt to
 * listen shows, for example a port that needs more rights, is reported then.
 */
export async function checkPorts({ port, adminPort, mllpPort, host, mllpHost }: Config): Promise<void> {
  const address = await addressOf(host)
  await checkPort({ port, host, prefix: '' }, address)
  if (adminPort !== undefined) await checkPort({ port: adminPort, host, prefix: 'OTS_ADMIN_' }, address)
  if (mllpPort !== undefined) await checkPort({ port: mllpPort, host: mllpHost, prefix: 'OTS_MLLP_' }, mllpHost)
}

/**
 * Never listens on the port itself: a proxy that connects meanwhile, as during a restart, would be reset when the check is over, and
 * does not repeat a POST.
 */
async function checkPort(wanted: Address, host: string): Promise<void> {
  const anyPort = createServer()
  await listenOrRefuse(wanted, () => once(anyPort.listen(0, host), 'listening'))
  anyPort.close()
  if (wanted.port !== 0 && (await isAnswered(wanted.port, host))) throw new ConfigRefusal(describeUse(wanted))
}

async function isAnswered(port: number, host: string): Promise<boolean> {
  const socket = connect({ port, host, timeout: ANSWERS_WITHIN_MS })
  const answer = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('timeout', () => resolve(false))
    socket.once('error', () => resolve(false))
  })
  socket.destroy()
  return answer
}

/** Listens; says what to change if the address cannot be used. */
export async function listenOrRefuse<T>(address: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error
    const detail = code === 'EADDRINUSE' ? describeUse(address) : describeFailure(address, message)
    throw new ConfigRefusal(detail, { cause: error })
  }
}

const describeUse = ({ port, host, prefix }: Address) =>
  `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port: ${prefix}PORT=${port + 1} npm start`

const describeFailure = ({ port, host, prefix }: Address, message: string) =>
  `Cannot listen on ${host}:${port}: ${message}. Set ${prefix === 'OTS_MLLP_' ? prefix : ''}HOST and ${prefix}PORT to an address of this machine.`
