import { createServer } from 'node:net'
import type { Config } from './settings.ts'

/** The port cannot be listened on. */
export class PortRefusal extends Error {}

/** Found out before the database is started, so that the commonest mistake is told at once. */
export async function checkPorts({ port, mllpPort, host, mllpHost }: Config): Promise<void> {
  await checkPort({ port, host, setting: 'PORT', hostSetting: 'HOST' })
  if (mllpPort === undefined) return
  await checkPort({ port: mllpPort, host: mllpHost, setting: 'OTS_MLLP_PORT', hostSetting: 'OTS_MLLP_HOST' })
}

interface Place {
  port: number
  host: string
  setting: string
  hostSetting: string
}

async function checkPort(place: Place): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portRefusal(error, place)))
    probe.listen(place.port, place.host, () => probe.close(() => resolve()))
  })
}

function portRefusal(error: NodeJS.ErrnoException, { port, host, setting, hostSetting }: Place): Error {
  if (error.code === 'EADDRINUSE') {
    return new PortRefusal(
      `Port ${port} on ${host} is in use. Stop what listens there, or choose another: ${setting}=${port + 1} npm start`,
    )
  }
  return new PortRefusal(
    `Cannot listen on ${host}:${port}: ${error.message}. Set ${hostSetting} and ${setting} to an address of this machine.`,
  )
}
