import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from '../src/pages/webhooks/curl.ts'

const SENT = {
  method: 'POST',
  target: 'https://hooks.example/orders',
  body: `{"name":"O'Neil","note":"$HOME \`id\` !"}`,
  headers: { Host: 'hooks.example', 'Content-Type': 'application/json', Authorization: '[removed]' },
}

test('a shell hands curl the address, the headers and the body as they were sent', () => {
  const script = `curl() { printf '%s\\n' "$@"; }\n${curlOf(SENT)}`
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
    '-i',
    '-X',
    'POST',
    'https://hooks.example/orders',
    '-H',
    'Content-Type: application/json',
    '-H',
    'Authorization: [removed]',
    '--data-binary',
    SENT.body,
  ])
})

test('without a body that is still kept, the command has none', () => {
  expect(curlOf({ ...SENT, body: null, headers: {} })).toBe("curl -i -X POST 'https://hooks.example/orders'")
})
