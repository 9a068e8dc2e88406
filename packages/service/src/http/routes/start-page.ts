import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { postmanCollection } from '@order-testing/contract/openapi'
import { escapeHtml } from '@order-testing/pages'
import { JSON_TYPE } from '../sending.ts'

/** Public tokens that this service accepts. */
export interface DemoTokens {
  integrator?: string | undefined
  operator?: string | undefined
}

export interface StartPage {
  version: string
  isProduction: boolean
  /** Empty in production, and where the demo catalog is not in use. */
  demo: DemoTokens
  hasDocs: boolean
}

const NAME = 'Order Testing Service'

/** The start page for people, the same as JSON for programs, and the Postman collection. */
export function addStartPage(app: FastifyInstance, start: StartPage): void {
  const index = { object: 'index', name: NAME, version: start.version, mode: modeOf(start), links: linksOf(start) }
  app.get('/', (request, reply) => {
    void reply.header('vary', 'accept')
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) return reply.type(JSON_TYPE).send(JSON.stringify(index))
    void reply.headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' })
    return reply.type('text/html; charset=utf-8').send(pageOf(start, originOf(request)))
  })
  app.get('/postman.json', (request, reply) => {
    const { demo, isProduction } = start
    const tokens = { token: demo.integrator, operatorToken: demo.operator }
    const collection = postmanCollection({ baseUrl: originOf(request), ...tokens, isProduction })
    return reply.type(JSON_TYPE).send(JSON.stringify(collection, null, 2))
  })
}

const modeOf = ({ isProduction }: StartPage) => (isProduction ? 'production' : 'sandbox')

const linksOf = ({ isProduction, hasDocs }: StartPage) => ({
  ...(hasDocs && { docs: '/docs', operatorDocs: '/operator/docs' }),
  openapi: '/openapi.json',
  operatorOpenapi: '/api/operator/v1/openapi.json',
  postman: '/postman.json',
  health: '/healthz',
  ready: '/readyz',
  ...(!isProduction && { mailbox: '/sandbox/mailbox' }),
})

const LABELS: Record<keyof ReturnType<typeof linksOf>, string> = {
  docs: 'Documentation',
  openapi: 'OpenAPI document',
  operatorDocs: 'API reference for operators',
  operatorOpenapi: 'OpenAPI document for operators',
  postman: 'Postman collection',
  health: 'Health',
  ready: 'Readiness, including the database',
  mailbox: 'Mailbox: e-mails and text messages of this sandbox',
}

/** The address that the client used. It becomes part of a command line, so unusual characters are not accepted. */
function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.75rem; margin: 0 } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
p { margin: .5rem 0 } ul { padding-left: 1.25rem } li { margin: .25rem 0 }
pre { background: color-mix(in srgb, currentColor 8%, transparent); border-radius: .5rem; padding: 1rem; white-space: pre-wrap }
code { font: .9rem/1.5 ui-monospace, monospace }
`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function pageOf(start: StartPage, origin: string): string {
  const links = Object.entries(linksOf(start)) as [keyof typeof LABELS, string][]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${NAME}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${NAME}</h1>
<p>Version ${escapeHtml(start.version)}, ${modeOf(start)}</p>
${firstRequest(start.demo.integrator, origin)}
<h2>Links</h2>
<ul>
${links.map(([name, path]) => `<li><a href="${path}">${LABELS[name]}</a></li>`).join('\n')}
</ul>
</main>
</body>
</html>
`
}

/** A line to paste into a terminal, if there is a token for it. */
function firstRequest(token: string | undefined, origin: string): string {
  if (token === undefined) return ''
  const line = `curl -H 'Authorization: Bearer ${token}' '${origin}/api/v2/orders'`
  return `<h2>First request</h2>
<p>The demo token is <code>${escapeHtml(token)}</code>. List the orders of this sandbox:</p>
<pre><code>${escapeHtml(line)}</code></pre>`
}
