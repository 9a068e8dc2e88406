import {
  CONSTRAINT_MEANINGS,
  ERROR_CODES,
  ERROR_MEANINGS,
  errorDocs,
  endpoints,
  MOST_PROBLEMS,
  type Endpoint,
  type ErrorCode,
} from '@order-testing/contract'
import { errorBody } from '@order-testing/service/http/errors'
import type { Page } from '../page.ts'
import { documentedEntries, exampleProblems, regulatedProblem } from './error-examples.ts'
import { anchored, bullets, code, codes, either, json, referencePage, table } from './markdown.ts'

/** Every error code with its causes and cures. Each error body links to the entry of its code. */
export const errorsPage = (): Page =>
  referencePage('errors', 'Error codes', [
    'Every refused request and every failure has the same kind of answer, the error body. It lists all problems of the request at once, so that you can fix them in one go.',
    json(errorBody(400, [regulatedProblem()])),
    bullets([
      '`code` is for programs. Codes may be added: if you do not know one, go by `statusCode`.',
      '`detail` is for people. It says what is wrong and what to do. Its wording may change, so do not compare it.',
      '`source.pointer` names the field at fault as a JSON pointer: `/participant/lastName` in a body, `/page` in a query string. It is absent if no field is at fault.',
      `\`meta.docs\` links to the entry of the code on this page, such as \`${errorDocs('required')}\`. \`meta.regulation\` names the section of a transport regulation that the rule comes from; packages with tests under such regulations (of the US Department of Transportation, DOT) have more rules.`,
      `The list has at most ${MOST_PROBLEMS} entries. If there are more problems, the last entry is a [\`badRequest\`](#badRequest) whose \`meta.omitted\` says how many are left out.`,
      'Every answer has an `X-Request-Id` header. Quote it when you ask the operator for help.',
    ]),
    '## What to do, by status {#statuses}',
    table(['Status', 'Meaning', 'What to do'], STATUS_ROWS),
    '## All codes {#all}',
    table(
      ['Code', 'Status', 'Cause'],
      sortedCodes().map((name) => [
        `[${code(name)}](#${name})`,
        statusesOf(name).join(', '),
        ERROR_MEANINGS[name].cause,
      ]),
    ),
    ...entries(),
    ...v1Section(),
  ])

const STATUS_ROWS = [
  ['400', 'The request is invalid.', 'Fix every problem listed, then send it again.'],
  [
    '401, 403',
    'The token is missing or invalid, or lacks a scope.',
    'Treat both alike: use another token. Do not retry.',
  ],
  ['404', 'Nothing there that this token can see.', 'Check path, id and token. Do not retry.'],
  ['405, 408, 413, 415, 431', 'The request as a whole is wrong: method, size or media type.', 'Change the request.'],
  ['409', 'A name or an `Idempotency-Key` is ambiguous.', 'Send an id, or a new key.'],
  ['422', 'The resource is in a state that does not allow this.', 'Read it, and act on its state.'],
  ['429', 'Too many requests.', 'Wait for the seconds in `Retry-After`, then retry.'],
  [
    '500, 503',
    'The service failed or is busy.',
    'Retry with exponential backoff. `GET` and cancellations are always safe to repeat; creates are with an `Idempotency-Key`.',
  ],
]

const sortedCodes = (): ErrorCode[] => ERROR_CODES.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

const statusesOf = (name: ErrorCode) => [
  ERROR_MEANINGS[name].status,
  ...Object.keys(ERROR_MEANINGS[name].otherStatuses ?? {}).map(Number),
]

function entries(): string[] {
  const problems = exampleProblems()
  const documented = documentedEntries()
  return sortedCodes().flatMap((name) => {
    const { status, otherStatuses = {}, cause, cure, cases = [] } = ERROR_MEANINGS[name]
    const others = Object.entries(otherStatuses).map(([other, when]) => `**${other}** if ${when}`)
    const problem = problems.find((each) => each.code === name)
    const example = problem ? errorBody(status, [problem]).errors[0] : documented.get(name)
    return [
      `## ${code(name)} {#${name}}`,
      `Status **${status}**${others.length > 0 ? `; ${others.join('; ')}` : ''}.`,
      `${cause} ${cure}${name === 'insufficientScope' ? ` ${forbidding()}` : ''}`,
      ...(cases.length > 0
        ? [
            table(
              ['Usual causes', 'What to do'],
              cases.map((each) => [each.cause, each.cure]),
            ),
          ]
        : []),
      ...(example ? [json(example)] : []),
    ]
  })
}

/** The operations that answer 403 instead of 401 to a missing scope. */
function forbidding(): string {
  const all: Endpoint[] = Object.values(endpoints)
  const paths = all
    .filter(({ refusals }) => refusals?.includes(403))
    .map(({ method, path }) => code(`${method} ${path}`))
  return `The operations that answer 403 are ${either(paths, 'and')}.`
}

const v1Section = (): string[] => [
  '## Codes of v1 {#v1}',
  'Answers of `POST /api/v1/orders` report the same problems, with the same `detail` and `source.pointer`. Where a problem breaks a rule about a single value, `code` is the name of the constraint, as the table shows. All other problems have the code of v2, such as [`conflict`](#conflict), [`unrecognizedKeys`](#unrecognizedKeys), or [`invalidValue`](#invalidValue) for an unknown location.',
  table(
    ['v1', 'Meaning', 'v2'],
    Object.entries(CONSTRAINT_MEANINGS)
      .toSorted(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
      .map(([name, meaning]) => [anchored(name, name), meaning.meaning, codes(meaning.codes)]),
  ),
  'Moving to v2? See [From v1 to v2](../guides/v1-to-v2.md).',
]
