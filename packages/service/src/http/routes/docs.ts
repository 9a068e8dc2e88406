import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openapiText, operatorOpenapiText } from '@order-testing/contract/openapi'
import { sendError } from '../errors.ts'
import { JSON_TYPE } from '../sending.ts'
import { readSite, sendFile, siteFile, siteLoader, type Site, type SiteFile } from './site-files.ts'
import type { DemoTokens } from './start-page.ts'

export interface Docs {
  /** Tokens that the samples are filled with. */
  demo?: DemoTokens
  /** Whether the documentation is served; the OpenAPI documents are in any case. */
  isServed?: boolean
  /** The built site, if not that of this package. */
  folder?: string
}

/** The OpenAPI documents and the documentation. Nothing is loaded from other hosts. */
export function addDocs(app: FastifyInstance, { demo = {}, isServed = true, folder }: Docs = {}): void {
  addDocument(app, ['/api/v2/openapi.json', '/openapi.json'], openapiText)
  addDocument(app, ['/api/operator/v1/openapi.json'], operatorOpenapiText)
  if (!isServed) return
  const load = siteLoader(() => readSite(folder))
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'))
  app.get('/operator/docs', (_request, reply) => reply.redirect('/docs/operator-api/'))
  app.get('/operator/docs/', (_request, reply) => reply.redirect('/docs/operator-api/'))
  // Beside the site, whose files are the same for every service.
  app.get('/docs/tokens.json', (_request, reply) => reply.type(JSON_TYPE).send(JSON.stringify(demo)))
  app.get('/docs/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const site = await load()
    if (reply.sent) return reply
    if (!site) return refuse(request, reply, { detail: NOT_BUILT, page: NOT_BUILT_PAGE })
    const found = find(site, request.params['*'])
    if (typeof found === 'string') return reply.redirect(`/docs/${found}${request.url.replace(/^[^?]*/, '')}`)
    if (found) return sendFile(request, reply, found)
    return refuse(request, reply, {
      detail: 'No such page of the documentation. See /docs/.',
      page: site.get('404.html'),
    })
  })
}

/** Composed on the first request: most processes never serve it. */
function addDocument(app: FastifyInstance, paths: string[], text: () => string): void {
  let file: SiteFile | undefined
  for (const path of paths)
    app.get(path, (request, reply) => {
      file ??= siteFile({ content: Buffer.from(text()), type: JSON_TYPE })
      return sendFile(request, reply, file)
    })
}

/** The file at a path below /docs/, or the path that it should have been asked for: pages have no extension, folders a slash. */
function find(site: Site, path: string): SiteFile | string | undefined {
  if (/^404(\.html|\/)?$/.test(path)) return undefined
  const page = path.replace(/(^|\/)index\.html$|\.html$/, '$1')
  if (page !== path) return site.has(path) ? page : undefined
  if (path === '' || path.endsWith('/')) {
    const bare = path.slice(0, -1)
    return site.get(`${path}index.html`) ?? (site.has(`${bare}.html`) ? bare : undefined)
  }
  return site.get(path) ?? site.get(`${path}.html`) ?? (site.has(`${path}/index.html`) ? `${path}/` : undefined)
}

/** 404 also if the site was not built: no later request will find it, and nothing is wrong with the service. */
function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { detail, page }: { detail: string; page: Pick<SiteFile, 'content' | 'type' | 'policy'> | undefined },
): FastifyReply {
  void reply.header('vary', 'accept')
  if (!page || !/\btext\/html\b/i.test(request.headers.accept ?? ''))
    return sendError(reply, 404, [{ code: 'notFound', detail }])
  return reply
    .code(404)
    .headers({ 'content-security-policy': page.policy, 'referrer-policy': 'no-referrer' })
    .type(page.type)
    .send(page.content)
}

const NOT_BUILT = 'The documentation is not built. Build it with "npm run docs".'

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem }
`

const NOT_BUILT_PAGE = {
  type: 'text/html; charset=utf-8',
  policy: [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  content: Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Documentation of the Order Testing Service</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The documentation is not built</h1>
<p>Install the development dependencies of this service (<code>npm ci</code>), run <code>npm run docs</code>, and load this page again.</p>
<p>The interface is also described by OpenAPI documents: <a href="/openapi.json">for integrators</a> and
<a href="/api/operator/v1/openapi.json">for operators</a>.</p>
</main>
</body>
</html>
`),
}
