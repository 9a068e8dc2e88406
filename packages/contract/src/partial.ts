import { z } from 'zod'
import { constraintOf } from './constraints.ts'
import { findingsOf, problemOf, type Problem } from './problems.ts'

/** Any member of plain objects may be absent; arrays, records and unions are there whole or not at all. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? string extends keyof T
      ? T
      : { [K in keyof T]?: PartialMember<Exclude<T[K], undefined>> | undefined }
    : T

type PartialMember<T> = IsUnion<T> extends true ? T : DeepPartial<T>
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never

export interface PartlyParsed<T> {
  /** There when nothing is wrong. */
  value?: T
  /** The members that are well-formed each on its own. */
  partial: DeepPartial<T>
  problems: Problem[]
}

/**
 * Reads a body with its schema, telling everything that is wrong with it, and keeps what is well-formed nevertheless,
 * so that rules across fields can be checked beside a wrong type and every problem of a request is told at once.
 */
export function parsePartly<S extends z.ZodObject>(schema: S, input: unknown): PartlyParsed<z.output<S>> {
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) {
    return { value: result.data, partial: result.data as DeepPartial<z.output<S>>, problems: [] }
  }
  return {
    partial: (wellFormed(schema, input) ?? {}) as DeepPartial<z.output<S>>,
    problems: findingsOf(result.error).map((finding) => {
      const constraint = constraintOf(finding)
      return { ...problemOf(finding), ...(constraint !== undefined && { constraint }) }
    }),
  }
}

function wellFormed({ shape }: z.ZodObject, input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined
  const members = Object.entries(shape).map(([name, schema]) => {
    // Only what was sent: a body may name its members like those that all objects inherit.
    const given: unknown = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined
    return [name, memberOf(schema, given)] as const
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function memberOf(schema: z.core.$ZodType, given: unknown): unknown {
  const result = z.safeParse(schema, given)
  if (result.success) return result.data
  const inner = unwrapped(schema)
  return inner instanceof z.ZodObject ? wellFormed(inner, given) : undefined
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
  return isWrapper ? unwrapped(schema.unwrap()) : schema
}
