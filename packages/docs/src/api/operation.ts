import {
  examplesOf,
  jsonOf,
  nameOf,
  resolveParameter,
  resolveResponse,
  resolveSchema,
  type Content,
  type Operation,
  type Response,
  type Schema,
} from './document.ts'
import { codeHtml, escapeHtml, inlineHtml, pageText } from './inline.ts'
import { membersTable, parametersTable } from './members.ts'
import { printJson } from './printing.ts'
import { sampleTabs, type Audience } from './samples.ts'
import type { Reading } from './type-text.ts'

/** What the operations of a page share. */
export interface PageReading extends Reading {
  audience: Audience
  /** Bodies that the page has already described, with their anchors. */
  bodies: Map<string, string>
}

/** The section of an operation, as Markdown. Its anchor is the operation's id. */
export function operationSection(operation: Operation, page: PageReading): string {
  const { operationId: id, summary, description, isWebhook } = operation
  return [
    `## ${pageText(summary)} {#${id}}`,
    endpointLine(operation),
    factsLine(operation),
    pageText(withoutScope(description)),
    isWebhook ? '' : sampleTabs(page.document, operation, page.audience),
    parametersPart(operation, page),
    bodyPart(operation, page),
    isWebhook ? webhookAnswers(operation, page) : answersPart(operation, page),
    isWebhook ? '' : errorsPart(operation, page),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const endpointLine = ({ method, path, isWebhook }: Operation) =>
  `<p class="endpoint" v-pre><span class="method method-${method.toLowerCase()}">${method}</span> <code>${isWebhook ? 'callback.url' : escapeHtml(path)}</code></p>`

function factsLine(operation: Operation): string {
  const scopes = (operation['x-required-scope'] ?? '').split(' ').filter(Boolean)
  const facts = [
    operation.deprecated &&
      `<span class="fact warning">Deprecated</span> <a href="/docs/guides/v1-to-v2">Move to v2</a>`,
    operation['x-sandbox-only'] && `<span class="fact">Sandbox only</span>`,
    scopes.length > 0 && `Scope ${scopes.map((scope) => codeHtml(scope)).join(' or ')}`,
    !operation.isWebhook && scopes.length === 0 && 'Any valid token',
  ].filter(Boolean)
  return facts.length === 0 ? '' : `<p class="facts" v-pre>${facts.join(' <span aria-hidden="true">·</span> ')}</p>`
}

/** The line of facts has the scope. */
const withoutScope = (description: string) => description.replace(/\n*Requires (the scope .*|no scope)\.$/, '')

function parametersPart({ operationId: id, parameters = [] }: Operation, page: PageReading): string {
  if (parameters.length === 0) return ''
  const all = parameters.map((each) => resolveParameter(page.document, each))
  return `### Parameters {#${id}-parameters}\n\n${parametersTable(all, page)}`
}

function bodyPart({ operationId: id, requestBody, isWebhook }: Operation, page: PageReading): string {
  if (!requestBody) return ''
  const head = `### Body {#${id}-body}`
  const content = jsonOf(requestBody.content)!
  const others = Object.entries(requestBody.content).filter(([, each]) => each !== content)
  return [
    head,
    requestBody.required ? '' : 'Optional.',
    bodyMembers(content.schema, { id, isWebhook, page }),
    ...(isWebhook ? examplesOf(content) : examplesOf(content).slice(1)).map((each) =>
      exampleBlock(each.summary, each.value),
    ),
    ...others.map(([type, each]) => otherBody(type, each)),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** A body that several operations take is described by the first of them. */
function bodyMembers(schema: Schema, { id, isWebhook, page }: { id: string; isWebhook: boolean; page: PageReading }) {
  const name = nameOf(schema)
  const place = name === undefined ? undefined : page.objects.get(name)
  if (name !== undefined && place !== undefined)
    return `An ${objectLink(name, page)} object.`.replace(/^An (?=\[[^AEIO])/, 'A ')
  const known = name === undefined ? undefined : page.bodies.get(name)
  if (known !== undefined) return `The same members as in [this body](#${known}).`
  if (name !== undefined) page.bodies.set(name, `${id}-body`)
  return membersTable(schema, isWebhook ? 'answer' : 'request', page)
}

const otherBody = (type: string, content: Content) =>
  `Or \`${type}\`:\n\n\`\`\`text\n${String(content.example).replaceAll('\r', '\n').trim()}\n\`\`\``

const exampleBlock = (summary: string, value: unknown) =>
  `::: details ${summary.replaceAll(/[<>{}]/g, '')}\n\n\`\`\`json\n${printJson(value)}\n\`\`\`\n\n:::`

function answersPart(operation: Operation, page: PageReading): string {
  const answers = answersOf(operation, page).filter(([status]) => status.startsWith('2'))
  const parts = answers.map(([status, { description, content }]) => {
    const json = jsonOf(content)
    const other = Object.keys(content ?? {}).find((type) => !/json/.test(type))
    const kind = json ? ` ${replyText(json.schema, page)}` : other === undefined ? '' : ` The body is \`${other}\`.`
    const examples = json ? examplesOf(json).map(({ value }) => exampleBlock(`Example of ${status}`, value)) : []
    return [`**${status}** ${pageText(description)}${kind}`, ...examples].join('\n\n')
  })
  return `### Response {#${operation.operationId}-response}\n\n${parts.join('\n\n')}`
}

const answersOf = ({ responses }: Operation, { document }: PageReading): [string, Response][] =>
  Object.entries(responses).map(([status, each]) => [status, resolveResponse(document, each)])

function replyText(schema: Schema, page: PageReading): string {
  const name = nameOf(schema)
  if (name === undefined) return ''
  if (page.objects.has(name)) return `Returns ${objectLink(name, page)}.`
  const { properties = {} } = resolveSchema(page.document, schema)
  const item = nameOf(properties['data']?.items ?? {})
  if (item === undefined) return ''
  const cursor = properties['nextCursor'] ? ', and `nextCursor` if a `cursor` was sent' : ''
  return `Returns \`data\`, a list of ${objectLink(item, page)}, with \`limit\`, \`page\` and \`total\`${cursor}.`
}

const objectLink = (name: string, { objects }: Reading) => {
  const place = objects.get(name)
  return place === undefined ? `\`${name}\`` : `[${name}](${place.replace(/^\/docs/, '')})`
}

/** Errors of this operation first; those that every operation can answer in one line. */
function errorsPart(operation: Operation, page: PageReading): string {
  const errors = answersOf(operation, page).filter(([status]) => !status.startsWith('2'))
  const own = errors.filter(([status]) => !COMMON.has(status))
  const common = errors.filter(([status]) => COMMON.has(status))
  const rows = own.map(
    ([status, response]) =>
      `<tr><th scope="row">${status}</th><td>${inlineHtml(response.description)} ${codeLinks(response)}</td></tr>`,
  )
  const table = `<div class="errors" v-pre><table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
  // Only 400 has more codes than its examples.
  const line = common
    .map(([status, response]) => `${status} ${status === '400' ? 'such as ' : ''}${codeLinks(response)}`)
    .join(', ')
  return [
    `### Errors {#${operation.operationId}-errors}`,
    own.length > 0 && table,
    `<p class="common" v-pre>${own.length > 0 ? 'Like every operation, also' : 'Those of every operation:'} ${line}.</p>`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const COMMON = new Set(['400', '401', '413', '415', '429', '500', '503'])

/** Links to the codes of the examples. */
function codeLinks({ content }: Response): string {
  const bodies = Object.values(content ?? {}).flatMap((each) => examplesOf(each))
  const codes = bodies
    .flatMap(({ value }) => (value as { errors?: { code: string }[] }).errors ?? [])
    .map(({ code }) => code)
  return [...new Set(codes)]
    .map((code) => `<a href="/docs/reference/errors#${encodeURIComponent(code)}">${codeHtml(code)}</a>`)
    .join(' ')
}

/** What the receiver of a webhook may answer. */
function webhookAnswers(operation: Operation, page: PageReading): string {
  const rows = answersOf(operation, page).map(
    ([status, { description }]) => `<tr><th scope="row">${status}</th><td>${inlineHtml(description)}</td></tr>`,
  )
  return `### Your response {#${operation.operationId}-response}\n\n<div class="errors" v-pre><table><thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}
