import { createServer } from 'node:net'
import type { Config } from './config.ts'

/** The port cannot be listened on. */
export class PortRefusal extends Error {}

/** Found out before the database is started, so that the commonest mistake is told at once. */
export async function checkPort({ port, host }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portRefusal(error, port, host)))
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

function portRefusal(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE') {
    return new PortRefusal(
      `Port ${port} on ${host} is in use. Stop what listens there, or choose another: PORT=${port + 1} npm start`,
    )
  }
  return new PortRefusal(
    `Cannot listen on ${host}:${port}: ${error.message}. Set HOST and PORT to an address of this machine.`,
  )
}
