import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CONSOLE_API } from '@order-testing/contract/operator'
import type { Caller } from '../../domain/access/caller.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Store } from '../../store/store.ts'
import { LiveFeed } from '../live-feed.ts'

interface LiveOptions {
  store: Store
  admit: (request: FastifyRequest) => Caller | Promise<Caller>
}

/** A person has a few windows open, not more. */
const MOST_OF_ONE = 10
/** Proxies close connections that are silent for a minute. */
const HEARTBEAT_MS = 15_000
/** After that the browser connects again, and has to show its session anew. */
const LONGEST_MS = 5 * 60_000

/** Tells the console what has changed, as server-sent events. Pages read again what they show. */
export function addLiveRoute(app: FastifyInstance, { store, admit }: LiveOptions): void {
  const onFailure = (error: unknown) => app.log.warn({ err: error }, 'Failed to look for changes')
  const feed = new LiveFeed({ read: (tenantId) => store.pulse.read(tenantId), onFailure })
  const streams = new Map<string, number>()
  const open = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const end of open) end()
  })
  app.get(`${CONSOLE_API}/live`, async (request, reply) => {
    const caller = await admit(request)
    if (!caller.scopes.has('operator.orders.read')) throw refuse('insufficientScope', 'Requires operator.orders.read.')
    const count = streams.get(caller.tokenId) ?? 0
    if (count >= MOST_OF_ONE) throw refuse('tooManyRequests', 'Too many windows are open. Close one.')
    streams.set(caller.tokenId, count + 1)
    const { raw } = begin(reply)
    const stop = feed.listen(caller.tenantId, (pulse) => raw.write(`data: ${JSON.stringify(pulse)}\n\n`))
    const end = () => raw.end()
    const heartbeat = setInterval(() => {
      raw.write(':\n\n')
      // A session that was locked or ended since then hears nothing more.
      void Promise.resolve(admit(request)).catch(end)
    }, HEARTBEAT_MS)
    const longest = setTimeout(end, LONGEST_MS)
    open.add(end)
    raw.once('close', () => {
      stop()
      clearInterval(heartbeat)
      clearTimeout(longest)
      open.delete(end)
      const left = (streams.get(caller.tokenId) ?? 1) - 1
      if (left > 0) streams.set(caller.tokenId, left)
      else streams.delete(caller.tokenId)
    })
    return reply
  })
}

function begin(reply: FastifyReply): FastifyReply {
  reply.hijack()
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  reply.raw.writeHead(200, headers)
  reply.raw.flushHeaders()
  return reply
}
