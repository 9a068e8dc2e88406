import { createServer } from 'node:net'
import { ConfigRefusal, type Config } from './settings.ts'

/** Checked before the database starts, so that the most common mistake is reported at once. */
export async function checkPorts({ port, mllpPort, host, mllpHost }: Config): Promise<void> {
  await checkPort({ port, host, setting: 'PORT', hostSetting: 'HOST' })
  if (mllpPort === undefined) return
  await checkPort({ port: mllpPort, host: mllpHost, setting: 'OTS_MLLP_PORT', hostSetting: 'OTS_MLLP_HOST' })
}

interface Address {
  port: number
  host: string
  setting: string
  hostSetting: string
}

async function checkPort(address: Address): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(toRefusal(error, address)))
    probe.listen(address.port, address.host, () => probe.close(() => resolve()))
  })
}

function toRefusal(error: NodeJS.ErrnoException, { port, host, setting, hostSetting }: Address): ConfigRefusal {
  return new ConfigRefusal(
    error.code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is in use. Stop the process that uses it, or choose another port: ${setting}=${port + 1} npm start`
      : `Cannot listen on ${host}:${port}: ${error.message}. Set ${hostSetting} and ${setting} to an address of this machine.`,
  )
}
