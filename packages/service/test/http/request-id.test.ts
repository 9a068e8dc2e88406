import { expect, test } from 'vitest'
import { requestIdOf } from '../../src/http/request-id.ts'

test('a request without an id gets one of its own', () => {
  const ids = Array.from({ length: 1_000 }, () => requestIdOf(undefined))
  expect(new Set(ids).size).toBe(1_000)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})
