import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const SWEEP_MS = 50

declare module 'fastify' {
  interface FastifyInstance {
    /** Reports that the service is not ready, and asks clients to close their connections, while it still answers. */
    drain(): void
  }
}

/**
 * Closes connections as soon as their requests are answered: idle keep-alive connections would delay the stop by a minute.
 * Returns a function that tells whether the service is stopping.
 */
export function releaseConnectionsOnStop(app: FastifyInstance): () => boolean {
  const sockets = new Set<Socket>()
  let sweep: NodeJS.Timeout | undefined
  let isDraining = false
  app.decorate('drain', () => {
    isDraining = true
    app.server.prependListener('request', (_request, response) => {
      response.shouldKeepAlive = false
    })
  })
  app.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      app.server.closeIdleConnections()
      // Node does not count a connection that was never used as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, SWEEP_MS)
  })
  app.addHook('onClose', async () => clearInterval(sweep))
  return () => isDraining || sweep !== undefined
}
