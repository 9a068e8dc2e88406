import { execFile } from 'node:child_process'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const MANIFESTS = ['deploy/kubernetes-schema.yaml', 'deploy/kubernetes.yaml']
const AUDIENCES = new Set(['Integrators', 'Operators', 'Developers'])

const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8')
const readJson = async (folder: string, name: string) => JSON.parse(await read(folder, name)) as Manifest

interface Manifest {
  version: string
  workspaces: string[]
  dependencies?: Record<string, string>
  packages: Record<string, Manifest>
}

/** The package files of all workspaces. */
async function manifests(): Promise<string[]> {
  const { workspaces } = await readJson(ROOT, 'package.json')
  expect(workspaces).toEqual(['packages/*', 'bench', 'generators'])
  const packages = await readdir(join(ROOT, 'packages'))
  return ['.', 'bench', 'generators', ...packages.map((name) => `packages/${name}`)].map((each) =>
    join(each, 'package.json'),
  )
}

test('the changelog is written for integrators, operators and developers', async () => {
  const versions = (await read(ROOT, 'CHANGELOG.md')).split(/^## /m).slice(1)
  expect(versions[0]).toMatch(/^Unreleased\n/)
  for (const text of versions.slice(1)) expect(text).toMatch(/^\d+\.\d+\.\d+, \d{4}-\d\d-\d\d\n/)
  const sections = versions.flatMap((text) => [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name!))
  expect(sections.filter((name) => !AUDIENCES.has(name))).toEqual([])
})

describe('npm run release', () => {
  const identity = ['-c', 'user.name=Release', '-c', 'user.email=release@example.com']
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', [...identity, ...args], { cwd: folder })
    return stdout.trim()
  }
  const ENTRY = '## Unreleased\n\n### Integrators\n\n- A new member.\n'
  let folder: string
  let files: string[]
  beforeAll(async () => {
    folder = await newFolder()
    files = await manifests()
    for (const name of [...files, ...MANIFESTS, 'package-lock.json']) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await copyFile(join(ROOT, name), join(folder, name))
    }
    await writeFile(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${ENTRY}\n## 0.0.1, 2026-01-31\n\n- The first one.\n`)
    await git('init', '--quiet')
    await git('config', 'user.name', 'Release')
    await git('config', 'user.email', 'release@example.com')
    await git('add', '.')
    await git('commit', '--quiet', '--message', 'Begin')
  })
  removeFoldersAfterAll()

  const release = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/release.js'), ...args], { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )

  test('a work tree with changes, an earlier version, and a changelog without entries or audience are refused', async () => {
    const log = join(folder, 'CHANGELOG.md')
    const before = await read(folder, 'CHANGELOG.md')
    expect(await release('next')).toBe('Usage: npm run release -- 1.2.0\n')
    expect(await release('0.0.9')).toMatch(/^0\.0\.9 is not later than [\d.]+\.\n$/)
    await writeFile(log, before.replace(ENTRY, '## Unreleased\n'))
    expect(await release('7.0.0')).toBe(
      'The work tree is not clean: commit or remove what "git status" lists.\n' +
        'CHANGELOG.md lists nothing under "Unreleased".\n',
    )
    await writeFile(log, before.replace('### Integrators', '### Added'))
    expect(await release('7.0.0')).toContain('has a section "Added": use Integrators, Operators, Developers.')
    await git('checkout', '--quiet', '.')
    expect(await git('tag')).toBe('')
  })

  test('a release has its version in every package and in the lock file, a dated changelog, a commit and a tag', async () => {
    expect(await release('7.0.0')).toBe('Committed and tagged v7.0.0. Publish it with: git push --follow-tags\n')
    for (const name of files) {
      const { version, dependencies = {} } = await readJson(folder, name)
      const ours = Object.entries(dependencies).filter(([each]) => each.startsWith('@order-testing/'))
      expect([name, version, ...ours.map(([, range]) => range)]).toEqual([name, '7.0.0', ...ours.map(() => '7.0.0')])
    }
    for (const name of MANIFESTS) expect(await read(folder, name)).toMatch(/image: \S+:7\.0\.0\n/)
    const lock = await readJson(folder, 'package-lock.json')
    expect([lock.version, lock.packages['']!.version, lock.packages['packages/service']!.version]).toEqual(
      Array(3).fill('7.0.0'),
    )
    expect(lock.packages['packages/service']!.dependencies).toMatchObject({ '@order-testing/contract': '7.0.0' })
    expect(await read(folder, 'CHANGELOG.md')).toMatch(
      /## Unreleased\n\n## 7\.0\.0, \d{4}-\d\d-\d\d\n\n### Integrators\n\n- A new member\.\n\n## 0\.0\.1/,
    )
    expect([await git('status', '--porcelain'), await git('describe'), await git('log', '-1', '--format=%s')]).toEqual([
      '',
      'v7.0.0',
      'Release 7.0.0',
    ])
    expect(await release('7.0.0')).toContain('The tag v7.0.0 exists.')
  })

  test('nothing but versions changes in the package files', async () => {
    const changed = await git('diff', '--unified=0', 'HEAD~1', '--', '*.json')
    const lines = changed.split('\n').filter((line) => /^[+-](?![+-])/.test(line))
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter((line) => !/^[+-]\s+"(version|@order-testing\/[\w-]+)": "[\d.]+",?$/.test(line))).toEqual([])
  })
})
