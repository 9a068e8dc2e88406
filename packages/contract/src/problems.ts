import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** One thing wrong with a request: what the error body says about it. */
export interface Problem {
  code: ErrorCode
  detail: string
  /** Where in the request; absent when no field is at fault. */
  pointer?: string
  meta?: Record<string, unknown>
}

type Path = readonly PropertyKey[]

/** A JSON pointer (RFC 6901) to the member that a path names. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** What the schema's refusal means in the interface's codes, one problem for each member at fault. */
export function problemsOf(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue) => problemsOfIssue(issue))
}

function problemsOfIssue(issue: z.core.$ZodIssue): Problem[] {
  const pointer = pointerTo(issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'unrecognizedKeys',
      detail: `"${key}" is not a member known here.`,
      pointer: pointerTo([...issue.path, key]),
    }))
  }
  if (issue.code !== 'custom' && issue.input === undefined)
    return [{ code: 'required', detail: 'This is required.', pointer }]
  return [{ code: codeOf(issue), detail: detailOf(issue), pointer }]
}

const CODES = {
  invalid_type: 'invalidType',
  too_big: 'tooBig',
  too_small: 'tooSmall',
  invalid_format: 'invalidFormat',
  not_multiple_of: 'notMultipleOf',
  unrecognized_keys: 'unrecognizedKeys',
  invalid_union: 'invalidUnion',
  invalid_key: 'invalidKey',
  invalid_element: 'invalidElement',
  invalid_value: 'invalidValue',
} as const satisfies Record<Exclude<z.core.$ZodIssue['code'], 'custom'>, ErrorCode>

function codeOf(issue: z.core.$ZodIssue): ErrorCode {
  if (issue.code !== 'custom') return CODES[issue.code]
  return (issue.params?.['code'] as ErrorCode | undefined) ?? 'invalidValue'
}

function detailOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${KINDS[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return limitDetail(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return limitDetail(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return `Expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}.`
    case 'invalid_format':
      return FORMATS[issue.format] ?? (issue.message || 'This has the wrong format.')
    case 'invalid_union':
      return 'This is none of the accepted forms.'
    default:
      return issue.message
  }
}

const KINDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const FORMATS: Record<string, string> = {
  email: 'Expected an e-mail address.',
  date: 'Expected a calendar date such as 1990-02-28.',
  datetime: 'Expected a date and time with an offset, such as 2026-01-31T08:00:00Z.',
  url: 'Expected an absolute address (URL).',
}

function limitDetail(origin: string, relation: string, limit: number | bigint): string {
  if (origin === 'string') return `Expected ${relation} ${limit} character${limit === 1 ? '' : 's'}.`
  if (origin === 'array') return `Expected ${relation} ${limit} item${limit === 1 ? '' : 's'}.`
  return `Expected ${relation} ${limit}.`
}
