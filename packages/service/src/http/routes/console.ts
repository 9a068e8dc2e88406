import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sendError } from '../errors.ts'
import { folderOf, readSite, sendFile, siteLoader, strictPolicy, type Site, type SiteFile } from './site-files.ts'

/** The operators' console: one page that shows what its address says, and its files. */
export function addConsole(app: FastifyInstance, folder = folderOf('console')): void {
  const load = siteLoader(() => readSite(folder, strictPolicy))
  // With its query: a failed sign-in says why.
  app.get('/console', (request, reply) => reply.redirect(`/console/${request.url.slice('/console'.length)}`))
  app.get('/console/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const site = await load()
    if (reply.sent) return reply
    const file = site && find(site, request.params['*'])
    if (file) return sendFile(request, reply, file)
    return sendError(reply, 404, [{ code: 'notFound', detail: site ? NO_FILE : NOT_BUILT }])
  })
}

/** Whatever is no file is an address within the console. A missing asset stays missing: a page would not be a script. */
function find(site: Site, path: string): SiteFile | undefined {
  return site.get(path) ?? (path.startsWith('assets/') ? undefined : site.get('index.html'))
}

const NO_FILE = 'No such file of the console. Load /console/ again: it may have been updated.'
const NOT_BUILT = 'The console is not built. Build it with "node scripts/site.js".'
