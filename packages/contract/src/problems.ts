import type { z } from 'zod'
import type { Constraint } from './constraint-meanings.ts'
import { MOST_PROBLEMS, type ErrorCode } from './errors.ts'
import { nearestName } from './nearest-name.ts'

/** One thing wrong with a request, as the error body reports it. */
export interface Problem {
  code: ErrorCode
  detail: string
  /** Where in the request; absent when no field is at fault. */
  pointer?: string
  meta?: Record<string, unknown>
  /** On the entry that stands for all omitted problems: how many. */
  omitted?: number
  /** The constraint name of v1, where the code alone does not determine it. Never part of a v2 answer. */
  constraint?: Constraint
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

/** What a part of a request consists of, as details call it. */
export type Part = 'member' | 'parameter'

type Path = readonly PropertyKey[]
type Issue = z.core.$ZodIssue

/** A schema issue under the code of the interface. An issue of unknown keys makes one finding per key. */
export interface Finding {
  code: ErrorCode
  path: Path
  issue: Issue
  unknownKey?: string
}

/** Longer names are not repeated in answers. */
const LONGEST_NAME = 255

/** Parses a part of a request with its schema, or returns everything that is wrong with it. */
export function parse<S extends z.ZodType>(schema: S, input: unknown, part: Part = 'member'): Parsed<z.output<S>> {
  const result = schema.safeParse(input, REPORTING)
  if (result.success) return { ok: true, value: result.data }
  return { ok: false, problems: listFindings(result.error, (finding) => problemOf(finding, part)) }
}

/**
 * The options every schema is parsed with. Without reported inputs, a missing member looks like one of a wrong type. The
 * message of an `unrecognized_keys` issue, which is not used otherwise, carries the names that the object knows.
 */
export const REPORTING: z.core.ParseContext<Issue> = {
  reportInput: true,
  error: ({ code, inst }) =>
    code === 'unrecognized_keys' ? Object.keys((inst as z.ZodObject).shape).join(' ') : undefined,
}

/** At most a hundred problems. Where there are more, the last entry says how many were omitted. */
export function limitProblems(problems: readonly Problem[]): Problem[] {
  const listed = problems.filter(({ omitted }) => omitted === undefined)
  const hasEntry = listed.length < problems.length
  if (problems.length <= MOST_PROBLEMS && (!hasEntry || problems.at(-1)?.omitted !== undefined)) return [...problems]
  const before = problems.reduce((sum, { omitted = 0 }) => sum + omitted, 0)
  const kept = listed.slice(0, MOST_PROBLEMS - 1)
  return [...kept, omittedEntry(before + listed.length - kept.length)]
}

/** The entry that stands for problems that are not listed. */
export function omittedEntry(omitted: number): Problem {
  const detail = `${omitted} more ${omitted === 1 ? 'problem is' : 'problems are'} not listed. Fix the ones above first.`
  return { code: 'badRequest', detail, meta: { omitted }, omitted }
}

/** A JSON pointer (RFC 6901) to the member that a path names. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The problems of a schema error, at most a hundred of them. Only those that are listed are presented. */
export function listFindings(error: z.ZodError, present: (finding: Finding) => Problem): Problem[] {
  const findings = error.issues.flatMap((issue) => findingsOfIssue(issue))
  // A huge integer exceeds the safe range and then our own bound: the last finding, which is tighter, is reported.
  const distinct = [...new Map(findings.map((each) => [`${each.code} ${pointerTo(each.path)}`, each])).values()]
  const unread = error.issues.reduce((sum, issue) => sum + Math.max(0, unknownKeys(issue) - MOST_PROBLEMS), 0)
  const problems = distinct.slice(0, MOST_PROBLEMS).map((finding) => present(finding))
  const omitted = unread + distinct.length - problems.length
  return limitProblems(omitted === 0 ? problems : [...problems, omittedEntry(omitted)])
}

/** A body that is wrong as a whole has no pointer. */
export function problemOf(finding: Finding, part: Part = 'member'): Problem {
  const { code, path } = finding
  const tooLong = path.findIndex((key) => typeof key === 'string' && key.length > LONGEST_NAME)
  const place = tooLong === -1 ? path : path.slice(0, tooLong)
  const detail = detailOf(finding, part)
  return place.length > 0 ? { code, detail, pointer: pointerTo(place) } : { code, detail }
}

const unknownKeys = (issue: Issue) => (issue.code === 'unrecognized_keys' ? issue.keys.length : 0)

function findingsOfIssue(issue: Issue): Finding[] {
  const { path } = issue
  if (isMissing(issue)) return [{ code: 'required', path, issue }]
  switch (issue.code) {
    case 'unrecognized_keys':
      // One body can hold tens of thousands of them.
      return issue.keys.slice(0, MOST_PROBLEMS).map((unknownKey) => ({
        code: 'unrecognizedKeys',
        path: [...path, unknownKey],
        issue,
        unknownKey,
      }))
    case 'invalid_union':
      return (
        intendedForm(issue.errors)?.flatMap((inner) =>
          findingsOfIssue({ ...inner, path: [...path, ...inner.path] }),
        ) ?? [{ code: 'invalidUnion', path, issue }]
      )
    default:
      return [{ code: codeOf(issue), path, issue }]
  }
}

function isMissing(issue: Issue): boolean {
  if (issue.code === 'custom' || !('input' in issue)) return false
  // Here the input is the object that lacks its discriminator, though the path names the discriminator.
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return (issue.input as Record<string, unknown>)[issue.discriminator] === undefined
  }
  return issue.input === undefined
}

/** The one form of a union that has the type of the value sent: its problems say more than "none of these". */
function intendedForm(forms: readonly Issue[][]): Issue[] | undefined {
  const fitting = forms.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return fitting.length === 1 ? fitting[0] : undefined
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
} as const satisfies Record<Exclude<Issue['code'], 'custom'>, ErrorCode>

function codeOf(issue: Issue): ErrorCode {
  if (issue.code !== 'custom') return CODES[issue.code]
  return (issue.params?.['code'] as ErrorCode | undefined) ?? 'invalidValue'
}

function detailOf({ code, path, issue, unknownKey }: Finding, part: Part): string {
  if (code === 'required') return path.length > 0 ? `This ${part} is required.` : 'A JSON body is required.'
  if (unknownKey === undefined) return issueDetail(issue)
  if (unknownKey.length > LONGEST_NAME) return `Unknown ${part}.`
  if (issue.message === '' && part === 'parameter')
    return `Unknown parameter "${unknownKey}". This operation has no parameters.`
  const nearest = nearestName(unknownKey, issue.message.split(' ').filter(Boolean))
  return `Unknown ${part} "${unknownKey}".${nearest === undefined ? '' : ` Did you mean "${nearest}"?`}`
}

function issueDetail(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${TYPES[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return limitDetail(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return limitDetail(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return choiceDetail(issue.values)
    case 'invalid_format':
      return FORMATS[issue.format] ?? (issue.message || 'Invalid format.')
    case 'invalid_union':
      return 'options' in issue && issue.options ? choiceDetail(issue.options) : 'Does not match any accepted form.'
    case 'invalid_key':
      return ['Invalid member name.', ...issue.issues.map((inner) => issueDetail(inner))].join(' ')
    default:
      return issue.message
  }
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

const FORMATS: Record<string, string> = {
  email: 'Expected an e-mail address such as name@example.com.',
  date: 'Expected a date such as 1990-02-28.',
  datetime: 'Expected a date and time with an offset, such as 2026-01-31T08:00:00Z.',
  url: 'Expected an absolute URL such as https://example.com/orders.',
  base64: 'Expected base64.',
}

function choiceDetail(values: readonly unknown[]): string {
  return `Expected ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}.`
}

function limitDetail(issue: { origin: string; exact?: boolean }, relation: string, limit: number | bigint): string {
  const expected = `Expected ${issue.exact ? 'exactly' : relation} ${limit}`
  const plural = limit === 1 ? '' : 's'
  if (issue.origin === 'string') return `${expected} character${plural}.`
  if (issue.origin === 'array') return `${expected} item${plural}.`
  if (issue.origin === 'object') return `${expected} member${plural}.`
  return `${expected}.`
}
