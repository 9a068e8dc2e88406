import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigRefusal, type Config } from './settings.ts'

/** For "localhost", the framework would open a second server for its second address, which lacks all that we add to the first. */
export const addressOf = async (host: string): Promise<string> =>
  host === 'localhost' ? (await lookup(host, { verbatim: false })).address : host

/** Checked before the database starts, so that the most common mistake is reported at once. */
export async function checkPorts({ port, adminPort, mllpPort, host, mllpHost }: Config): Promise<void> {
  await checkPort(port, host, '')
  if (adminPort !== undefined) await checkPort(adminPort, host, 'OTS_ADMIN_')
  if (mllpPort !== undefined) await checkPort(mllpPort, mllpHost, 'OTS_MLLP_')
}

async function checkPort(port: number, host: string, prefix: '' | 'OTS_ADMIN_' | 'OTS_MLLP_'): Promise<void> {
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ConfigRefusal(
      code === 'EADDRINUSE'
        ? `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port: ${prefix}PORT=${port + 1} npm start`
        : `Cannot listen on ${host}:${port}: ${message}. Set ${prefix === 'OTS_MLLP_' ? prefix : ''}HOST and ${prefix}PORT to an address of this machine.`,
    )
  }
  probe.close()
  await once(probe, 'close')
}
