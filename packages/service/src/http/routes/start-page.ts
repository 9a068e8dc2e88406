import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { postmanCollection } from '@order-testing/contract/openapi'
import { escapeHtml } from '@order-testing/pages'
import { SERVICE_NAME } from '../../domain/outside-diagnosis.ts'
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

/** The start page for people, the same as JSON for programs, and the Postman collection. */
export function addStartPage(app: FastifyInstance, start: StartPage): void {
  const index = {
    object: 'index',
    name: SERVICE_NAME,
    version: start.version,
    mode: modeOf(start),
    links: linksOf(start),
  }
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
  ...(!isProduction && { mailbox: '/sandbox/mailbox', console: '/console' }),
})

type Link = keyof ReturnType<typeof linksOf>

/** The links as people look for them, with what is behind each. */
const GROUPS: [title: string, links: [name: Link, label: string, about: string][]][] = [
  [
    'Start here',
    [
      ['docs', 'Documentation', 'Guides, the API reference, and what every code and status means.'],
      ['console', 'Console', 'For operators: orders, results and what needs somebody today. Enter with one click.'],
      ['mailbox', 'Mailbox', 'The e-mails and text messages that this sandbox would have sent.'],
      ['postman', 'Postman collection', 'Every request of the API, ready to send.'],
      ['openapi', 'OpenAPI document', 'For generators and tools.'],
    ],
  ],
  [
    'For operators',
    [
      ['operatorDocs', 'API for operators', 'Orders, results, deliveries, tokens and the audit log.'],
      ['operatorOpenapi', 'OpenAPI document for operators', 'The same for tools.'],
      ['health', 'Health', 'Whether the process answers.'],
      ['ready', 'Readiness', 'Whether it can reach its database.'],
    ],
  ],
]

/** The address that the client used. It becomes part of a command line, so unusual characters are not accepted. */
function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

const STYLE = `
:root { color-scheme: light dark; --bg: #f6f4ef; --surface: #fff; --text: #1b2326; --muted: #545f64; --line: #dfdad0; --accent: #0b5d5b; --ring: #0b5d5b }
@media (prefers-color-scheme: dark) { :root { --bg: #121718; --surface: #1b2224; --text: #edf1f0; --muted: #a8b4b6; --line: #343f42; --accent: #72cfc7; --ring: #72cfc7 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--bg); color: var(--text); font: 17px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { margin: 0 auto; max-width: 56rem; padding: 3rem 1rem 4rem }
header { display: flex; align-items: center; gap: 1rem } header svg { flex: none; width: 3rem; height: 3rem }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; margin: 0 } h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem }
p { margin: 0 } p + p { margin-top: .75rem } .soft { color: var(--muted) } p + pre { margin-top: .75rem }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; margin: 0; padding: 1rem 1.25rem; white-space: pre-wrap }
code { font: .9rem/1.6 ui-monospace, monospace }
ul { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); list-style: none; margin: 0; padding: 0 }
li { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 1rem 1.25rem; position: relative }
li:hover { border-color: var(--accent) }
a { color: var(--accent); font-weight: 600; text-underline-offset: .2em } a::after { content: ''; inset: 0; position: absolute }
a:focus-visible { outline: none } li:focus-within { outline: 3px solid var(--ring); outline-offset: 2px }
`

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b5d5b"/><path d="M12 7h8M13.5 7v6.2L9 21.6A2.3 2.3 0 0 0 11 25h10a2.3 2.3 0 0 0 2-3.4l-4.5-8.4V7" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/><path d="m12.6 19.6 2.3 2.2 4.6-4.4" fill="none" stroke="#8fddd6" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const ICON = `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

function pageOf(start: StartPage, origin: string): string {
  const mode = start.isProduction ? 'production' : 'sandbox: no real tests are ordered here'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${SERVICE_NAME}</title>
<link rel="icon" href="${ICON}">
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${LOGO}<div>
<h1>${SERVICE_NAME}</h1>
<p class="soft">Version ${escapeHtml(start.version)}, ${mode}</p>
</div></header>
${FOR_PARTICIPANTS}
${firstRequest(start.demo.integrator, origin)}
${linkGroups(linksOf(start))}
</main>
</body>
</html>
`
}

/** People who look for their test come here too. */
const FOR_PARTICIPANTS = `<section>
<h2>Here for a test?</h2>
<p>Open the link in your latest e-mail or text message: it shows your appointment and your pass. Lost your link? Open the old message and choose “Send me a new link”, or ask the people who ordered the test, usually your employer’s HR.</p>
<p lang="es" class="soft">¿Viene por una prueba? Abra el enlace de su último correo o mensaje de texto. ¿Perdió el enlace? Abra el mensaje anterior y elija “Envíenme un enlace nuevo”, o pídalo a quien ordenó la prueba, por lo general Recursos Humanos de su empresa.</p>
</section>`

/** A line to paste into a terminal, if there is a token for it. */
function firstRequest(token: string | undefined, origin: string): string {
  if (token === undefined) return ''
  const line = `curl -H 'Authorization: Bearer ${token}' '${origin}/api/v2/orders'`
  return `<h2>First request</h2>
<p>The demo token is <code>${escapeHtml(token)}</code>. List the orders of this sandbox:</p>
<pre><code>${escapeHtml(line)}</code></pre>`
}

const linkGroups = (links: Partial<Record<Link, string>>) =>
  GROUPS.map(([title, entries]) => {
    const items = entries.flatMap(([name, label, about]) =>
      links[name] === undefined ? [] : [`<li><a href="${links[name]}">${label}</a><p class="soft">${about}</p></li>`],
    )
    return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
  }).join('\n')
