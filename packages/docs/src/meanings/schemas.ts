import { openapi } from '@order-testing/contract/openapi'
import { either, number } from './markdown.ts'

/** The part of JSON Schema that limits values. */
export interface Schema {
  $ref?: string
  type?: string
  enum?: string[]
  properties?: Record<string, Schema>
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
}

interface Parameter {
  name: string
  schema: Schema
}

interface Document {
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
  paths: Record<string, Record<string, { parameters: (Parameter | { $ref: string })[] }>>
}

const published = openapi() as Document

/** A schema of the OpenAPI document. */
export const schemaOf = (name: string): Schema => published.components.schemas[name]!

/** The schema of a parameter of an operation. */
export function parameterOf(method: string, path: string, name: string): Schema {
  const parameters = published.paths[path]![method]!.parameters.map((each) =>
    '$ref' in each ? published.components.parameters[each.$ref.split('/').at(-1)!]! : each,
  )
  return parameters.find((each) => each.name === name)!.schema
}

/** The members of a schema that have a limit, by limit. */
export function membersByLimit(name: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [member, limit] of limitedMembers(schemaOf(name), '')) {
    const members = found.get(limit) ?? []
    if (!members.includes(member)) found.set(limit, [...members, member])
  }
  return found
}

/** The limits of a value in words; empty if it has none. */
export function limitOf(schema: Schema): string {
  const { minLength, maxLength, minItems, maxItems, maxProperties, minimum, exclusiveMinimum, maximum } = schema
  if (maxLength !== undefined) return range(minLength ?? 0, maxLength, 'character')
  if (maxItems !== undefined) return range(minItems ?? 0, maxItems, 'item')
  if (maxProperties !== undefined) return membersLimit(schema, maxProperties)
  if (exclusiveMinimum !== undefined && maximum !== undefined)
    return `greater than ${number(exclusiveMinimum)}, up to ${number(maximum)}`
  if (minimum !== undefined && maximum !== undefined) return range(minimum, maximum)
  return ''
}

function* limitedMembers(given: Schema, path: string): Generator<[member: string, limit: string]> {
  const schema = given.$ref === undefined ? given : schemaOf(given.$ref.split('/').at(-1)!)
  const limit = limitOf(schema)
  if (limit !== '') yield [path, limit]
  for (const form of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* limitedMembers(form, path)
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* limitedMembers(member, path === '' ? name : `${path}.${name}`)
  if (schema.items) yield* limitedMembers(schema.items, `${path}[]`)
}

function membersLimit({ propertyNames = {}, additionalProperties = {} }: Schema, most: number): string {
  const values = typeof additionalProperties === 'object' ? limitOf(additionalProperties) : ''
  const parts = [
    ...(limitOf(propertyNames) === '' ? [] : [`names of ${limitOf(propertyNames)}`]),
    ...(values === '' ? [] : [`values of ${values}`]),
  ]
  const described = parts.length > 0 ? `, with ${either(parts, 'and')}` : ''
  return `up to ${number(most)} members${described}`
}

function range(least: number, most: number, unit = ''): string {
  const units = unit === '' ? '' : ` ${unit}${most === 1 ? '' : 's'}`
  if (least === most) return `exactly ${number(most)}${units}`
  return least === 0 && unit !== '' ? `up to ${number(most)}${units}` : `${number(least)} to ${number(most)}${units}`
}
