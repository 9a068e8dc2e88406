import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { created } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { ots, otsProcess, SLOW } from '../support/processes.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'

let folder: string
let env: Record<string, string>
let service: TestService
let order: { code: string }
beforeAll(async () => {
  folder = await newFolder()
  service = await startService()
  await service.apply(staffed())
  order = await created(service, { callback: { url: 'https://hooks.example.com/orders' } })
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    DATABASE_URL: urlOf(service.target),
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
  }
  await writeFile(join(folder, 'none.json'), '{}')
})
removeFoldersAfterAll()
afterAll(() => service.stop())

/** Without what each command leaves behind: a sheet of an order tells who read it, a list of tokens when they were last used. */
const comparable = (printed: string) =>
  printed.replace(/^.*: order\.read\.\n/gm, '').replaceAll(/never used|used 20\S+Z/g, 'used or not')

// Other tests run commands in a process that they share, which must make no difference.
test.each<[code: number, args: () => string[]]>([
  [0, () => ['--help']],
  [0, () => ['config']],
  [1, () => ['doctor']],
  [0, () => ['migrate']],
  [0, () => ['catalog', 'export']],
  [1, () => ['catalog', 'diff', join(folder, 'none.json')]],
  [0, () => ['token', 'list', '--verbose']],
  [2, () => ['token', 'create']],
  [0, () => ['keys', 'rotate']],
  [0, () => ['retention', 'holds']],
  [1, () => ['clusters', 'remove', 'none', '--yes']],
  [0, () => ['orders', 'show', order.code]],
  [2, () => ['orders', 'cancel', 'none']],
  [1, () => ['bookings', 'list', '--token', 'none']],
  [1, () => ['results', 'post', join(folder, 'none.json')]],
  [0, () => ['messages', 'list']],
  [0, () => ['deliveries', 'receivers']],
  [0, () => ['callbacks', 'list', '--json']],
  [0, () => ['audit', 'head']],
])('a command prints the same and exits with %i in a process of its own (%#)', SLOW, async (code, args) => {
  const shared = await ots(args(), env)
  const alone = await otsProcess(args(), env)
  expect({ ...alone, stdout: comparable(alone.stdout) }).toEqual({ ...shared, stdout: comparable(shared.stdout) })
  expect(shared.code).toBe(code)
})
