/** What the reference reads of an OpenAPI document. */
export interface OpenapiDocument {
  info: { title: string; summary: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks?: Record<string, Record<string, OperationObject>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
  }
}

interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  'x-required-scope'?: string
  'x-sandbox-only'?: boolean
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, Response | Reference>
}

/** An operation with its place. The path of a webhook is the name of its event. */
export interface Operation extends OperationObject {
  method: string
  path: string
  isWebhook: boolean
}

interface Reference {
  $ref: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required?: boolean
  example?: unknown
  schema: Schema
}

export interface Response {
  description: string
  content?: Record<string, Content>
}

export interface Content {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

type Value = string | number | boolean | null

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
  enum?: Value[]
  const?: Value
  default?: Value
  format?: string
  pattern?: string
  contentEncoding?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  minProperties?: number
  maxProperties?: number
}

/** All operations in the order of the document, webhooks last. */
export function operationsOf({ paths, webhooks = {} }: OpenapiDocument): Operation[] {
  const from = (items: OpenapiDocument['paths'], isWebhook: boolean) =>
    Object.entries(items).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        isWebhook,
      })),
    )
  return [...from(paths, false), ...from(webhooks, true)]
}

/** The last part of a reference, which is the name of the component. */
export const nameOf = ({ $ref }: { $ref?: string }) => $ref?.split('/').at(-1)

export function resolveSchema(document: OpenapiDocument, schema: Schema): Schema {
  const name = nameOf(schema)
  if (name === undefined) return schema
  const { $ref: _, ...own } = schema
  return { ...document.components.schemas[name], ...own }
}

export const resolveParameter = (document: OpenapiDocument, parameter: Parameter | Reference): Parameter =>
  '$ref' in parameter ? document.components.parameters[nameOf(parameter)!]! : parameter

export const resolveResponse = (document: OpenapiDocument, response: Response | Reference): Response =>
  '$ref' in response ? document.components.responses[nameOf(response)!]! : response

/** The JSON of a body or an answer, if it has any. */
export const jsonOf = (content: Record<string, Content> | undefined) => content?.['application/json']

export const examplesOf = ({ example, examples }: Content): { summary: string; value: unknown }[] =>
  examples ? Object.values(examples) : example === undefined ? [] : [{ summary: 'Example', value: example }]
