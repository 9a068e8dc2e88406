import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How often connections are looked over while the service stops. */
const SWEEP_MS = 50

/**
 * Closes connections as soon as their requests are answered: kept alive, they would hold up the stop for a minute.
 * Says whether the service is stopping.
 */
export function releaseConnectionsOnStop(app: FastifyInstance): () => boolean {
  const sockets = new Set<Socket>()
  let sweep: NodeJS.Timeout | undefined
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      app.server.closeIdleConnections()
      // To Node, a connection that was opened in advance and never used is not an idle one.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, SWEEP_MS)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
  return () => sweep !== undefined
}
