import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { ots } from '../support/processes.ts'
import { FOR_ADMINISTRATORS, FRESH_INSTALL, readGuides, reasonNotRun, type Block } from './blocks.ts'
import { leadsSomewhere, linksOf } from './links.ts'
import { ROOT } from './machine.ts'

const guides = await readGuides()
const named = (name: string) => guides.find((guide) => guide.name === name)!
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

/** Blocks that cannot be run here, by their first line, with how their arguments are checked instead. */
const CHECKED: Record<string, Record<string, (block: Block) => unknown>> = {
  install: { 'git clone "$REPOSITORY" order-testing-service': expectFreshInstall },
  laboratories: {},
  operating: {},
  production: {
    'npm ci && npm run docs': expectFreshInstall,
    'npm install --omit=optional --prefix /opt/order-testing ./archives/*.tgz': expectFreshInstall,
    'docker compose --file deploy/compose.yaml build': expectServices,
    'docker compose --file deploy/compose.yaml run --rm schema': expectServices,
    'kubectl create secret generic order-testing --from-file=database-url --from-file=keys': expectManifests,
    'kubectl delete job order-testing-schema --ignore-not-found': expectManifests,
  },
}

/** A test of the release suite runs these literally, because they take minutes. */
function expectFreshInstall(block: Block): void {
  expect(FRESH_INSTALL).toContain(block.text.split('\n')[0])
}

/** Names files that exist and services that the file has, with options of `docker compose`. */
async function expectServices({ text }: Block): Promise<void> {
  for (const line of text.split('\n')) {
    const [, path, command, rest = ''] = /docker compose --file (\S+) (\w+)(.*?)( nginx -s reload)?$/.exec(line)!
    const { services } = parse(await read(path!), { merge: true }) as { services: Record<string, object> }
    expect(['build', 'exec', 'run', 'up']).toContain(command)
    const words = rest.split(' ').filter((word) => word !== '')
    const options = words.filter((word) => word.startsWith('--'))
    expect(options.filter((option) => !['--detach', '--rm', '--no-deps'].includes(option))).toEqual([])
    expect(Object.keys(services)).toEqual(expect.arrayContaining(words.filter((word) => !word.startsWith('--'))))
  }
}

/** The secrets have the files that the manifests read, and what is waited for exists. */
async function expectManifests({ text }: Block): Promise<void> {
  const texts = await Promise.all(['kubernetes-schema.yaml', 'kubernetes.yaml'].map((name) => read(`deploy/${name}`)))
  const objects = texts.flatMap((each) =>
    parseAllDocuments(each).map((object) => object.toJS() as { kind: string; metadata: { name: string } }),
  )
  for (const [, secret, files] of text.matchAll(/create secret generic (\S+)((?: --from-file=\S+)+)/g))
    for (const [, file] of files!.matchAll(/=(\S+)/g)) expect(texts[0]).toContain(`/run/secrets/${secret}/${file}`)
  for (const [, path] of text.matchAll(/--filename (\S+)/g)) expect(existsSync(join(ROOT, path!))).toBe(true)
  for (const [, kind, name] of text.matchAll(/(job|deployment)[ /]([\w-]+)/g))
    expect(objects.map((each) => `${each.kind.toLowerCase()}/${each.metadata.name}`)).toContain(`${kind}/${name}`)
}

describe.each(FOR_ADMINISTRATORS)('the guide %s', (name) => {
  const guide = named(name)

  test('every block is run, or is listed with a check of its arguments', async () => {
    expect(guide.blocks.filter(({ language }) => !/^(sh|json|text)$/.test(language))).toEqual([])
    const left = guide.blocks.filter((block) => reasonNotRun(block) !== undefined)
    expect(left.map(({ text }) => text.split('\n')[0])).toEqual(Object.keys(CHECKED[name]!))
    for (const block of left) {
      expect(reasonNotRun(block)).toMatch(/\w+ \w+/)
      await CHECKED[name]![block.text.split('\n')[0]!]!(block)
    }
  })

  test('its links lead somewhere', () => {
    expect(linksOf(guide).filter((link) => !leadsSomewhere(link, guide, guides))).toEqual([])
  })
})

test('the guide operating says what to do about every alert, with its severity, and the guides name no other', async () => {
  const { groups } = parse(await read('deploy/alerts.yaml')) as Alerts
  const rules = groups.flatMap((group) => group.rules)
  const shown = [...named('operating').text.matchAll(/^\| `(OrderTesting\w+)` \| (\w+) \|/gm)]
  expect(shown.map(([, alert, severity]) => [alert, severity])).toEqual(
    rules.map(({ alert, labels }) => [alert, labels.severity]),
  )
  const mentioned = FOR_ADMINISTRATORS.flatMap((name) => named(name).text.match(/\bOrderTesting\w+/g) ?? [])
  const known = new Set(rules.map(({ alert }) => alert))
  expect(mentioned.filter((alert) => !known.has(alert))).toEqual([])
})

interface Alerts {
  groups: { rules: { alert: string; labels: { severity: string } }[] }[]
}

test('the guides name only settings that the service has', async () => {
  const known = await read('README.md')
  const mentioned = FOR_ADMINISTRATORS.flatMap((name) => [...named(name).text.matchAll(/\bOTS_[A-Z_]+\b(?!…)/g)])
  const unknown = new Set(mentioned.map(([setting]) => setting).filter((setting) => !known.includes(setting)))
  expect([...unknown]).toEqual([])
})

test('the guides mention only commands and options that exist', async () => {
  const mentioned = FOR_ADMINISTRATORS.flatMap((name) => [
    ...named(name).text.matchAll(/`ots ((?:[a-z][a-z-]* ?)+)([^`]*)`/g),
  ])
  expect(mentioned.length).toBeGreaterThan(30)
  for (const [command, name, rest] of mentioned) {
    const words = name!.trim().split(' ')
    const { stdout } = await ots([...words, '--help'])
    const isHelp = stdout.startsWith(`Usage: ots ${words.join(' ')}`)
    const unknown = (rest!.match(/--[a-z-]+/g) ?? []).filter((option) => !stdout.includes(`  ${option} `))
    expect([command, isHelp, unknown]).toEqual([command, true, []])
  }
})
