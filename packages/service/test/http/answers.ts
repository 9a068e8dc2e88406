import { STATUS_CODES } from 'node:http'
import { expect } from 'vitest'
import { ErrorBody } from '@order-testing/contract'

export interface Answer {
  status: number
  headers: Headers
  text: string
}

/**
 * What an answer refuses and why, `401 unauthenticated` or `400 tooSmall /page, required /name`.
 * Makes sure on the way that it is the error body of the interface and nothing else.
 */
export function refusalOf(answer: Answer): string {
  return `${answer.status} ${problemsOf(answer).join(', ')}`
}

/** The problems that an answer tells, each as `code` or `code /pointer`. */
export function problemsOf({ status, headers, text }: Answer): string[] {
  expect({ text, type: headers.get('content-type') }).toEqual({ text, type: 'application/json; charset=utf-8' })
  const sent: unknown = JSON.parse(text)
  const body = ErrorBody.parse(sent)
  // No members besides those of the error body.
  expect(sent).toEqual(body)
  expect(body).toMatchObject({ error: STATUS_CODES[status], statusCode: status })
  expect(body.errors).not.toEqual([])
  for (const { detail } of body.errors) expect(detail).toMatch(/\S/)
  expectCommonHeaders(headers)
  return body.errors.map(({ code, source }) => (source ? `${code} ${source.pointer}` : code))
}

/** What the service says with every answer, whatever it is. */
export function expectCommonHeaders(headers: Headers): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[\w.:-]{1,128}$/),
  })
}
