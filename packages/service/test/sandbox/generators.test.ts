import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '@order-testing/contract'
import { prairieCatalog, prairieToken } from '../http/walk.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { SLOW } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'

/** Clients that are generated from the published document compile, and place an order. */

const SECRET = 'prairie-secret-generated'
const ROOT = new URL('../../../../', import.meta.url)
const pathOf = (file: string) => fileURLToPath(new URL(file, ROOT))

/** What an integrator writes with the client of each generator. */
const PROGRAMS = {
  'openapi-typescript': `
    import type { components, operations } from './openapi-typescript.ts'
    type Body = operations['createOrder']['requestBody']['content']['application/json']
    export async function place(origin: string, token: string, body: Body) {
      const answer = await fetch(origin + '/api/v2/orders', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const order = (await answer.json()) as components['schemas']['Order']
      return { status: answer.status, isOrdered: order.status === 'ordered' }
    }`,
  'hey-api': `
    import { createOrder, type CreateOrder } from './hey-api/index.ts'
    export async function place(origin: string, token: string, body: CreateOrder) {
      const { data, response } = await createOrder({ baseUrl: origin, auth: token, body })
      return { status: response?.status, isOrdered: data?.status === 'ordered' }
    }`,
  orval: `
    import { createOrder, type CreateOrder } from './orval.ts'
    export async function place(_origin: string, token: string, body: CreateOrder) {
      const answer = await createOrder(body, { headers: { authorization: 'Bearer ' + token } })
      if (answer.status !== 201) return { status: answer.status }
      return { status: answer.status, isOrdered: answer.data.status === 'ordered' }
    }`,
}

/** An order without the members that have defaults, as the generated types must accept it. */
const CALL = `
  void place('', '', {
    deliveryMethods: [{ type: 'email', to: 'maria.lopez@example.com' }],
    location: { id: 'location' },
    package: { id: 'package' },
    testReason: 'random',
    participant: {
      firstName: 'Maria',
      lastName: 'Lopez',
      address: { line1: '1812 Walnut Street', city: 'Kansas City', state: 'MO', postalCode: '64108' },
    },
    requester: { email: 'dana.reed@example.com', firstName: 'Dana', lastName: 'Reed' },
    settings: { schedulingOption: 'link' },
  })`

let service: TestService
let folder: string

removeFoldersAfterAll()

beforeAll(async () => {
  service = await startService()
  await service.apply(prairieCatalog('prairie', [prairieToken(SECRET)]))
  folder = await newFolder()
  await run(pathOf('generators/generate.js'), pathOf('docs/openapi.json'), folder, service.origin)
  for (const [name, program] of Object.entries(PROGRAMS)) {
    await writeFile(join(folder, `place-${name}.ts`), program)
    await writeFile(join(folder, `call-${name}.ts`), `import { place } from './place-${name}.ts'\n${CALL}`)
  }
}, SLOW.timeout)

afterAll(() => service.stop())

const run = (script: string, ...args: string[]) => promisify(execFile)(process.execPath, [script, ...args])

test(
  'the generated clients and programs compile, with an order that leaves out members with defaults',
  SLOW,
  async () => {
    const strict = ['--noEmit', '--strict', '--ignoreConfig', '--target', 'es2022', '--module', 'esnext']
    const resolution = ['--moduleResolution', 'bundler', '--allowImportingTsExtensions']
    const lib = ['--lib', 'es2022,dom,dom.iterable', '--types', '']
    const files = Object.keys(PROGRAMS).map((name) => join(folder, `call-${name}.ts`))
    const compiled = await run(
      pathOf('node_modules/typescript/bin/tsc'),
      ...strict,
      ...resolution,
      ...lib,
      ...files,
    ).then(
      () => '',
      (failure: { stdout: string }) => failure.stdout,
    )
    expect(compiled).toBe('')
  },
)

test.each(Object.keys(PROGRAMS))('a program with the client of %s places an order', SLOW, async (name) => {
  const { place } = (await import(/* @vite-ignore */ join(folder, `place-${name}.ts`))) as {
    place: (origin: string, token: string, body: unknown) => Promise<unknown>
  }
  const placed = await place(service.origin, SECRET, endpoints.createOrder.example.body)
  expect(placed).toEqual({ status: 201, isOrdered: true })
})
