import type { z } from 'zod'
import { MOST_PROBLEMS, type ErrorCode } from './errors.ts'

/** One thing wrong with a request: what the error body says about it. */
export interface Problem {
  code: ErrorCode
  detail: string
  /** Where in the request; absent when no field is at fault. */
  pointer?: string
  meta?: Record<string, unknown>
  /** On the entry that stands for all problems left out: how many. */
  omitted?: number
  /** Its name among v1's constraints, where the code alone does not tell it. Answers of v2 never show it. */
  constraint?: string
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

type Path = readonly PropertyKey[]
type Issue = z.core.$ZodIssue

/** A problem before it is told, with the issue of the schema that it comes from. */
export interface Finding {
  code: ErrorCode
  detail: string
  path: Path
  issue: Issue
}

/** Names of members longer than this are not repeated in answers. */
const LONGEST_NAME = 255

/** Parses a part of a request with its schema, or returns everything that is wrong with it. */
export function parse<S extends z.ZodType>(schema: S, input: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(input, { reportInput: true })
  return result.success ? { ok: true, value: result.data } : { ok: false, problems: problemsOf(result.error) }
}

/** At most a hundred problems. Where there are more, the last entry says how many were left out. */
export function limitProblems(problems: readonly Problem[]): Problem[] {
  const listed = problems.filter(({ omitted }) => omitted === undefined)
  const hasEntry = listed.length < problems.length
  if (problems.length <= MOST_PROBLEMS && (!hasEntry || problems.at(-1)?.omitted !== undefined)) return [...problems]
  const before = problems.reduce((sum, { omitted = 0 }) => sum + omitted, 0)
  const kept = listed.slice(0, MOST_PROBLEMS - 1)
  return [...kept, leftOut(before + listed.length - kept.length)]
}

/** The entry that stands for problems that are not listed. */
export function leftOut(omitted: number): Problem {
  const detail = `${omitted} more ${omitted === 1 ? 'problem was' : 'problems were'} left out.`
  return { code: 'badRequest', detail, meta: { omitted }, omitted }
}

/** A JSON pointer (RFC 6901) to the member that a path names. */
export function pointerTo(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/**
 * What the schema's refusal means in the interface's codes, one problem for each member at fault.
 * Inputs must have been reported, or a missing member cannot be told from a wrong one: `parse` sees to it.
 */
export function problemsOf(error: z.ZodError): Problem[] {
  return listFindings(error, (finding) => problemOf(finding))
}

/** The problems of a schema's refusal, at most a hundred of them, each made by `present`. */
export function listFindings(error: z.ZodError, present: (finding: Finding) => Problem): Problem[] {
  const findings = error.issues.flatMap((issue) => findingsOfIssue(issue))
  // A huge integer exceeds the safe range and then our own bound: the last finding, which is tighter, is reported.
  const distinct = [...new Map(findings.map((each) => [`${each.code} ${pointerTo(each.path)}`, each])).values()]
  const omitted = error.issues.reduce((sum, issue) => sum + Math.max(0, unknownKeys(issue) - MOST_PROBLEMS), 0)
  const problems = distinct.map((finding) => present(finding))
  return limitProblems(omitted === 0 ? problems : [...problems, leftOut(omitted)])
}

/** A body at fault as a whole is no field, and so has no pointer. */
export function problemOf({ code, detail, path }: Finding): Problem {
  const tooLong = path.findIndex((key) => typeof key === 'string' && key.length > LONGEST_NAME)
  const place = tooLong === -1 ? path : path.slice(0, tooLong)
  return place.length > 0 ? { code, detail, pointer: pointerTo(place) } : { code, detail }
}

const unknownKeys = (issue: Issue) => (issue.code === 'unrecognized_keys' ? issue.keys.length : 0)

function findingsOfIssue(issue: Issue): Finding[] {
  const { path } = issue
  if (isMissing(issue)) {
    return [{ code: 'required', detail: path.length > 0 ? 'This is required.' : 'A body is required.', path, issue }]
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      // One body can hold tens of thousands of them.
      return issue.keys.slice(0, MOST_PROBLEMS).map((key) => ({
        code: 'unrecognizedKeys',
        detail: key.length > LONGEST_NAME ? 'Unknown member.' : `Unknown member "${key}".`,
        path: [...path, key],
        issue,
      }))
    case 'invalid_union':
      return (
        formMeant(issue.errors)?.flatMap((inner) => findingsOfIssue({ ...inner, path: [...path, ...inner.path] })) ?? [
          { code: 'invalidUnion', detail: detailOf(issue), path, issue },
        ]
      )
    default:
      return [{ code: codeOf(issue), detail: detailOf(issue), path, issue }]
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

/** The one form of a union whose kind of value was sent: its problems say more than "none of these". */
function formMeant(forms: readonly Issue[][]): Issue[] | undefined {
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

function detailOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Expected ${KINDS[issue.expected] ?? issue.expected}.`
    case 'too_small':
      return limitDetail(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'too_big':
      return limitDetail(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'invalid_value':
      return choiceDetail(issue.values)
    case 'invalid_format':
      return FORMATS[issue.format] ?? (issue.message || 'This has the wrong format.')
    case 'invalid_union':
      return 'options' in issue && issue.options ? choiceDetail(issue.options) : 'This is none of the accepted forms.'
    case 'invalid_key':
      return ['This name of a member is not accepted.', ...issue.issues.map((inner) => detailOf(inner))].join(' ')
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
