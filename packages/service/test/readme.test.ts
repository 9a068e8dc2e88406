import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService } from './support/service.ts'

const README = new URL('../../../README.md', import.meta.url)
const DEMO = new URL('../catalog/demo.json', import.meta.url)

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(JSON.parse(await readFile(DEMO, 'utf8')) as object)
})
afterAll(() => service.stop())

test('the request in the README gets the response shown below it', async () => {
  const text = await readFile(README, 'utf8')
  const [, secret, path, answer] = /Bearer (\S+)' '\S+:3000(\S+)'\n```\n\n```json\n([^`]+)```/.exec(text) ?? []
  const { status, body } = await service.call(secret!, path!)
  expect(status).toBe(200)
  expect(body).toEqual(JSON.parse(answer!))
})
