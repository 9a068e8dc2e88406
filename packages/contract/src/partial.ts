import { z } from 'zod'
import { constraintOf } from './constraints.ts'
import { memberCount } from './primitives.ts'
import { listFindings, problemOf, REPORTING, type Problem } from './problems.ts'

/** Any member of an object and any item of a list may be absent. Items keep their index. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? (DeepPartial<Item> | undefined)[]
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T]?: DeepPartial<Exclude<T[K], undefined>> | undefined }
    : T

export interface PartlyParsed<T> {
  /** Present if there are no problems. */
  value?: T
  /** The members that are valid on their own. */
  partial: DeepPartial<T>
  problems: Problem[]
}

/**
 * Parses a body and keeps its valid members even if others are invalid, so that rules across fields are checked too and
 * one answer reports every problem.
 */
export function parsePartly<S extends z.ZodObject>(schema: S, input: unknown): PartlyParsed<z.output<S>> {
  const result = schema.safeParse(input, REPORTING)
  if (result.success) {
    return { value: result.data, partial: result.data as DeepPartial<z.output<S>>, problems: [] }
  }
  return {
    partial: (validPartsOf(schema, input) ?? {}) as DeepPartial<z.output<S>>,
    problems: listFindings(result.error, (finding) => {
      const constraint = constraintOf(finding)
      return { ...problemOf(finding), ...(constraint !== undefined && { constraint }) }
    }),
  }
}

/** Larger than any schema allows: such lists and objects are not read item by item. */
const MOST_ITEMS = 50
const MOST_MEMBERS = 100

/** The valid parts of a value that its schema refuses as a whole. */
function validPartsOf(schema: z.core.$ZodType, given: unknown): unknown {
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(given) || given.length > MOST_ITEMS) return undefined
    return given.map((item: unknown) => memberOf(schema.element, item))
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const sent = given as Record<string, unknown>
  if (schema instanceof z.ZodObject) return validMembersOf(Object.entries(schema.shape), sent)
  if (schema instanceof z.ZodRecord) {
    if (memberCount(sent) > MOST_MEMBERS) return undefined
    return validMembersOf(
      Object.keys(sent).map((name) => [name, schema.valueType]),
      sent,
    )
  }
  return schema instanceof z.ZodDiscriminatedUnion ? validPartsOf(formOf(schema, sent), sent) : undefined
}

function validMembersOf(
  schemas: (readonly [string, z.core.$ZodType])[],
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const members = schemas.map(([name, schema]) => {
    // Own members only: a body may lack a member that all objects inherit, such as `constructor`.
    return [name, memberOf(schema, Object.hasOwn(sent, name) ? sent[name] : undefined)] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function memberOf(schema: z.core.$ZodType, given: unknown): unknown {
  const result = z.safeParse(schema, given)
  return result.success ? result.data : validPartsOf(unwrap(schema), given)
}

/** The form of a union that the discriminator names, or a schema that keeps nothing. */
function formOf({ def, options }: z.ZodDiscriminatedUnion, sent: Record<string, unknown>): z.core.$ZodType {
  const named = options.find(
    (option) =>
      option instanceof z.ZodObject && z.safeParse(option.shape[def.discriminator], sent[def.discriminator]).success,
  )
  return named ?? z.never()
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPreprocess) return unwrap(schema.out)
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  return isWrapper ? unwrap(schema.unwrap()) : schema
}
