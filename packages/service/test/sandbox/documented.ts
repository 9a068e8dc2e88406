import { endpoints, type Endpoint } from '@order-testing/contract'
import { operatorEndpoints } from '@order-testing/contract/operator'
import { openapiText, operatorOpenapiText } from '@order-testing/contract/openapi'

/** A request as one of the OpenAPI documents shows it. */
export interface DocumentedRequest {
  /** The operation, and the name of its example where it has several. */
  name: string
  operationId: string
  endpoint: Endpoint
  secret: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
  /** The media type of body and answer. */
  type: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  example?: unknown
}

interface Operation {
  operationId: string
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter> }
}

/** Every example request of both documents. */
export const documentedRequests = (): DocumentedRequest[] => [
  ...requestsOf(openapiText(), endpoints, 'demo-token-full-scope-0001'),
  ...requestsOf(operatorOpenapiText(), operatorEndpoints, 'demo-token-operator-0003'),
]

function requestsOf(text: string, all: Record<string, Endpoint>, secret: string): DocumentedRequest[] {
  const document = JSON.parse(text) as Document
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const { operationId } = operation
      const shown = { operationId, endpoint: all[operationId]!, secret, method: method.toUpperCase() }
      const place = placeOf(path, operation, document)
      return bodiesOf(operation).map((sent) => ({ ...shown, ...place, ...sent }))
    }),
  )
}

function placeOf(path: string, { parameters = [] }: Operation, { components }: Document) {
  const given = parameters
    .map((each) => ('$ref' in each ? components.parameters[each.$ref.split('/').at(-1)!]! : each))
    .filter((each) => each.example !== undefined)
  const valuesIn = (place: Parameter['in']) =>
    Object.fromEntries(given.filter((each) => each.in === place).map((each) => [each.name, String(each.example)]))
  const params = valuesIn('path')
  const query = new URLSearchParams(valuesIn('query')).toString()
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { path: query === '' ? filled : `${filled}?${query}`, headers: valuesIn('header') }
}

function bodiesOf({ operationId, requestBody }: Operation): Pick<DocumentedRequest, 'name' | 'type' | 'body'>[] {
  if (!requestBody) return [{ name: operationId, type: 'application/json' }]
  return Object.entries(requestBody.content).flatMap(([type, { example, examples }]) => {
    const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
    if (!examples) return [{ name: `${operationId} (${type})`, type, body: textOf(example) }]
    return Object.entries(examples).map(([name, { value }]) => ({
      name: `${operationId} "${name}"`,
      type,
      body: textOf(value),
    }))
  })
}
