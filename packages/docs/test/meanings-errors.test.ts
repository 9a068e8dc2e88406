import { CONSTRAINT_MEANINGS, ERROR_CODES, ERROR_MEANINGS, ErrorBody, errorDocs } from '@order-testing/contract'
import { openapi } from '@order-testing/contract/openapi'
import { expect, test } from 'vitest'
import { errorsPage } from '../src/meanings/errors.ts'

const { path, markdown } = errorsPage()

/** The part of the page about a code. */
const sectionOf = (code: string) => markdown.split(/^(?=## )/m).find((part) => part.startsWith(`## \`${code}\``)) ?? ''

test.each(ERROR_CODES)('the page explains %s where error bodies link to', (code) => {
  const section = sectionOf(code)
  expect(section.split('\n', 1)[0]).toBe(`## \`${code}\` {#${code}}`)
  expect(section).toContain(ERROR_MEANINGS[code].cause)
  expect(section).toContain(ERROR_MEANINGS[code].cure)
  expect(errorDocs(code)).toBe(`/docs/${path.replace('.md', '')}#${code}`)
})

test.each(Object.keys(CONSTRAINT_MEANINGS))(
  'the page explains %s, a code of v1, where error bodies link to',
  (name) => {
    expect(markdown).toContain(`<a id="${name}"></a>\`${name}\``)
  },
)

test('the codes of v1 that the interface lists are all explained', () => {
  const listed =
    'isNotEmpty isString isNumber isPositive isArray isObject isEnum isEmail isPhoneNumber isDateFormat isPostalCode isISO31661Alpha2 isUrl maxLength'
  expect(Object.keys(CONSTRAINT_MEANINGS)).toEqual(expect.arrayContaining(listed.split(' ')))
})

test('codes are sorted, in the table and in the sections', () => {
  const sections = [...markdown.matchAll(/^## `(\w+)`/gm)].map(([, code]) => code!)
  const rows = [...markdown.matchAll(/^\| \[`(\w+)`\]/gm)].map(([, code]) => code!)
  expect(sections).toEqual(ERROR_CODES.toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(rows).toEqual(sections)
})

const isReserved = (code: (typeof ERROR_CODES)[number]) => ERROR_MEANINGS[code].cause.includes('Reserved')

test.each(ERROR_CODES.filter((code) => !isReserved(code)))(
  'the example of %s is an entry as the service sends it',
  (code) => {
    const [, text] = /```json\n([^]*?)\n```/.exec(sectionOf(code)) ?? []
    const entry = JSON.parse(text ?? '{}') as ErrorBody['errors'][number]
    expect(ErrorBody.shape.errors.safeParse([entry]).success).toBe(true)
    expect([entry.code, entry.meta?.docs]).toEqual([code, errorDocs(code)])
  },
)

test('the codes that no operation uses have no example', () => {
  const reserved = ERROR_CODES.filter((code) => isReserved(code))
  expect(reserved).toEqual(['invalidElement', 'notMultipleOf'])
  expect(reserved.filter((code) => sectionOf(code).includes('```'))).toEqual([])
})

test('the statuses of codes are those of the examples in the OpenAPI document', () => {
  const { responses } = (openapi() as { components: { responses: Record<string, Response> } }).components
  const bodies = Object.values(responses).flatMap(({ content }) =>
    Object.values(content['application/json']!.examples).map(({ value }) => value),
  )
  const wrong = bodies.flatMap(({ statusCode, errors }) =>
    errors
      .filter(({ code }) => code in ERROR_MEANINGS && !statusesOf(code).includes(statusCode))
      .map(({ code }) => code),
  )
  expect(bodies.length).toBeGreaterThan(10)
  expect(wrong).toEqual([])
})

test('Errors: the statuses of the interface belong to the codes that say so', () => {
  expect(ERROR_MEANINGS.conflict.status).toBe(409)
  expect(ERROR_MEANINGS.invalidState.status).toBe(422)
  expect(ERROR_MEANINGS.notFound.status).toBe(404)
  expect(ERROR_MEANINGS.unauthenticated.status).toBe(401)
  expect(statusesOf('insufficientScope')).toEqual([401, 403])
  expect(statusesOf('tooBig')).toEqual([400, 413, 431])
  expect(ERROR_MEANINGS.tooManyRequests.status).toBe(429)
})

interface Response {
  content: Record<string, { examples: Record<string, { value: ErrorBody }> }>
}

function statusesOf(code: string): number[] {
  const { status, otherStatuses = {} } = ERROR_MEANINGS[code as keyof typeof ERROR_MEANINGS]
  return [status, ...Object.keys(otherStatuses).map(Number)]
}
