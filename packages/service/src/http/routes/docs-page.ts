import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { openapiText, operatorOpenapiText } from '@order-testing/contract/openapi'
import { errorsPage, v1Page } from './docs-texts.ts'
import type { DemoTokens } from './start-page.ts'

const INTEGRATORS = { title: 'Order Testing Service API', page: '/docs', role: 'integrator' } as const
const OPERATORS = {
  title: 'Order Testing Service API for operators',
  page: '/operator/docs',
  role: 'operator',
} as const

/** Each links to the other. */
const REFERENCES = [
  { ...INTEGRATORS, document: '/api/v2/openapi.json', text: openapiText, beside: OPERATORS },
  { ...OPERATORS, document: '/api/operator/v1/openapi.json', text: operatorOpenapiText, beside: INTEGRATORS },
]

/** The API references and their OpenAPI documents. Nothing is loaded from other hosts. */
export function docsPage(app: FastifyInstance, demo: DemoTokens = {}): void {
  for (const reference of REFERENCES) {
    const { page, document, text, role } = reference
    serve(app, page, 'text/html; charset=utf-8', () => pageOf(reference))
    app.get(`${page}/`, (_request, reply) => reply.redirect(page))
    serve(app, `${page}/start.js`, 'text/javascript; charset=utf-8', () => startOf(document, demo[role]))
    serve(app, document, 'application/json; charset=utf-8', text)
  }
  serve(app, '/openapi.json', 'application/json; charset=utf-8', openapiText)
  serve(app, '/docs/reference/errors', 'text/html; charset=utf-8', errorsPage)
  serve(app, '/docs/guides/v1-to-v2', 'text/html; charset=utf-8', v1Page)
  serve(app, '/docs/page.css', 'text/css; charset=utf-8', () => STYLE)
  serve(app, '/docs/reference.js', 'text/javascript; charset=utf-8', () => {
    // Only the browser bundle of the package is used: its Fastify plugin needs inline scripts.
    return readFile(new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')))
  })
}

/** As strict as possible: only style elements are allowed inline, which the reference adds at run time. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function serve(app: FastifyInstance, url: string, type: string, source: () => string | Promise<Buffer>): void {
  let asset: ReturnType<typeof prepare> | undefined
  app.get(url, async (request, reply) => {
    // After a failure, the next request tries again.
    asset ??= prepare(source).catch((error: unknown) => {
      asset = undefined
      throw error
    })
    const { plain, packed, etag } = await asset
    void reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      etag,
      'referrer-policy': 'no-referrer',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    const packs = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (packs) void reply.header('content-encoding', 'gzip')
    return reply.type(type).send(packs ? packed : plain)
  })
}

/** Only on the first request: the script has megabytes, and most processes never serve it. */
async function prepare(source: () => string | Promise<Buffer>) {
  const plain = Buffer.from(await source())
  const packed = await promisify(gzip)(plain)
  // Weak, because both encodings share it.
  return { plain, packed, etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

const pageOf = ({ title, page, document, beside }: (typeof REFERENCES)[number]) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/docs/page.css" />
    <script src="/docs/reference.js" defer></script>
    <script src="${page}/start.js" defer></script>
  </head>
  <body>
    <div id="reference">
      <main class="plain">
        <h1>${title}</h1>
        <noscript><p>This page requires JavaScript. The OpenAPI document does not.</p></noscript>
        <p><a href="${document}">OpenAPI document</a></p>
        <p><a href="${beside.page}">${beside.title}</a></p>
      </main>
    </div>
  </body>
</html>
`

/** The style of the page until the reference is loaded, and without scripts. */
const STYLE = `body { margin: 0; font-family: system-ui, sans-serif; }
main.plain { max-width: 40rem; margin: 0 auto; padding: 3rem 1.5rem; line-height: 1.5; }
`

/** A demo token is filled in, so that requests can be tried at once. */
const startOf = (
  document: string,
  token: string | undefined,
) => `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: document,
  authentication: { preferredSecurityScheme: 'bearer', ...(token && { securitySchemes: { bearer: { token } } }) },
  defaultOpenAllTags: true,
  documentDownloadType: 'json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: true,
  // Disables everything that contacts other hosts or stores a token in the browser.
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})})
`
