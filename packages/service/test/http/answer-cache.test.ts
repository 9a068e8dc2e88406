import { expect, test } from 'vitest'
import { AnswerCache } from '../../src/http/answer-cache.ts'
import { callerOf } from '../support/caller.ts'

/** An answer that takes 1,000 bytes of the cache. */
const answer = () => ({ bytes: new Uint8Array(890), isTagged: false, routeOptions: { url: '/', config: {} as never } })
const URL = '/12345678'.padEnd(10, '9')

test('an answer is found by its caller and URL alone', () => {
  const cache = new AnswerCache()
  const [caller, known] = [callerOf('a'), answer()]
  cache.keep(caller, URL, known)
  expect(cache.find(caller, URL)).toBe(known)
  expect(cache.find(caller, '/other')).toBeUndefined()
  expect(cache.find(callerOf('a'), URL)).toBeUndefined()
})

test('answers in use stay, and others make room', () => {
  const cache = new AnswerCache(10_000)
  const [used, unused] = [callerOf('used'), callerOf('unused')]
  cache.keep(used, URL, answer())
  cache.keep(unused, URL, answer())
  for (let i = 0; i < 20; i++) {
    cache.keep(callerOf(String(i)), URL, answer())
    expect(cache.find(used, URL)).toBeDefined()
  }
  expect(cache.find(unused, URL)).toBeUndefined()
})
