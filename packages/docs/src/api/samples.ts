import { CLIENT_CALLS } from './client-calls.ts'
import {
  examplesOf,
  jsonOf,
  resolveParameter,
  type OpenapiDocument,
  type Operation,
  type Parameter,
} from './document.ts'
import { printJson, printTypeScript } from './printing.ts'

/** The site replaces the address and the tokens by those of the sandbox that serves it. */
const ORIGIN = 'http://127.0.0.1:3000'

export type Audience = 'integrator' | 'operator'

const TOKENS: Record<Audience, string> = { integrator: '$OTS_TOKEN', operator: '$OTS_OPERATOR_TOKEN' }

/** A request in every language, as tabs. */
export function sampleTabs(document: OpenapiDocument, operation: Operation, audience: Audience): string {
  const example = exampleOf(document, operation)
  const call = audience === 'integrator' ? CLIENT_CALLS[operation.operationId] : undefined
  const tabs = [
    fence('sh', 'curl', curlOf(operation, example, TOKENS[audience])),
    ...(call === undefined ? [] : [fence('ts', 'TypeScript', typescriptOf(call, example))]),
  ]
  return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`
}

const fence = (language: string, title: string, code: string) => `\`\`\`${language} [${title}]\n${code}\n\`\`\``

interface Example {
  path: Record<string, unknown>
  query: Record<string, unknown>
  header: Record<string, unknown>
  body: unknown
}

function exampleOf(document: OpenapiDocument, { parameters = [], requestBody }: Operation): Example {
  const all = parameters.map((each) => resolveParameter(document, each))
  const given = (place: Parameter['in']) =>
    Object.fromEntries(
      all.filter((each) => each.in === place && each.example !== undefined).map(({ name, example }) => [name, example]),
    )
  const content = jsonOf(requestBody?.content)
  return {
    path: given('path'),
    query: given('query'),
    header: given('header'),
    body: content && examplesOf(content)[0]?.value,
  }
}

function curlOf({ method, path }: Operation, { path: params, query, header, body }: Example, token: string): string {
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const sent = body === undefined ? header : { ...header, 'Content-Type': 'application/json' }
  const isDefault = method === (body === undefined ? 'GET' : 'POST')
  return [
    `curl ${isDefault ? '' : `-X ${method} `}${shellQuoted(ORIGIN + place + (search.length > 0 ? `?${search.join('&')}` : ''))}`,
    `-H "Authorization: Bearer ${token}"`,
    ...Object.entries(sent).map(([name, value]) => `-H ${shellQuoted(`${name}: ${String(value)}`)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(printJson(body))}`]),
  ].join(' \\\n  ')
}

const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Its name is not part of an import, because this package does not depend on it. */
const CLIENT_PACKAGE = '@order-testing/client'

const CLIENT = `import { OrderTesting } from '${CLIENT_PACKAGE}'

const client = new OrderTesting({ baseUrl: '${ORIGIN}', token: process.env.OTS_TOKEN! })
`

function typescriptOf(call: string, { path, query, header, body }: Example): string {
  const values: Record<string, unknown> = { ...path, body, query, key: header['Idempotency-Key'] }
  const filled = call.replaceAll(/(, )?\$(\w+)/g, (_, comma: string | undefined, name: string) => {
    const value = values[name]
    const isEmpty = value === undefined || (name === 'query' && Object.keys(query).length === 0)
    return isEmpty ? '' : (comma ?? '') + printTypeScript(value)
  })
  return `${CLIENT}\n${filled}`
}
