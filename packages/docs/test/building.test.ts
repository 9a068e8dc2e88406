import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../../scripts/site.js', import.meta.url))

/** Stands for the real build, which takes many seconds: its only page is the changelog. */
const BUILD = `
import { appendFile, readFile, writeFile } from 'node:fs/promises'
const source = await readFile('CHANGELOG.md', 'utf8')
if (source.includes('broken')) throw new Error('The changelog cannot be read.')
const text = source.toUpperCase()
if (process.argv[2] === '--fingerprint') process.stdout.write(text)
else {
  await writeFile(process.argv[2] + '/index.html', text)
  await writeFile(process.argv[2] + '/changelog.html', text)
  await appendFile('builds', '.')
}
`

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ots-site-'))
  await cp(SCRIPT, join(root, 'scripts/site.js'))
  await put('package.json', '{ "type": "module" }')
  await put('packages/docs/scripts/build.js', BUILD)
  await put('node_modules/vitepress/package.json', '{ "version": "1.0.0" }')
  await put('CHANGELOG.md', 'first')
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

const text = (path: string) => readFile(join(root, path), 'utf8')
const page = () => text('packages/service/site/docs/index.html')
const builds = async () => (await text('builds')).length

/** Runs the script; `code` is its exit code. */
const run = (...options: string[]): Promise<{ code: number; stderr: string }> =>
  promisify(execFile)(process.execPath, [join(root, 'scripts/site.js'), 'documentation', ...options]).then(
    ({ stderr }) => ({ code: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
  )

test('the site is built once, and again when what it is made from changes', async () => {
  expect((await run()).code).toBe(0)
  expect(await run()).toEqual({ code: 0, stderr: '' })
  expect([await page(), await builds()]).toEqual(['FIRST', 1])
  await put('CHANGELOG.md', 'second')
  await run()
  expect([await page(), await builds()]).toEqual(['SECOND', 2])
})

test('a change of sources that changes no page does not build the site again', async () => {
  await run()
  await put('CHANGELOG.md', 'First')
  expect(await run()).toEqual({ code: 0, stderr: '' })
  expect(await builds()).toBe(1)
})

test('a failing build says why and keeps the site as it was; a start goes on', async () => {
  await run()
  await put('CHANGELOG.md', 'broken')
  const failed = await run()
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('The changelog cannot be read.')])
  expect((await run('--optional')).code).toBe(0)
  expect(await page()).toBe('FIRST')
  expect(await readdir(join(root, 'packages/service/site'))).toEqual(['docs'])
})

test('without development dependencies nothing is built, and a start goes on', async () => {
  await rm(join(root, 'node_modules'), { recursive: true })
  const { code, stderr } = await run('--optional')
  expect([code, stderr]).toEqual([0, expect.stringContaining('vitepress is not installed')])
  expect((await run()).code).toBe(1)
})

test('builds at the same time leave one whole site', async () => {
  const runs = await Promise.all([run(), run(), run()])
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(await readdir(join(root, 'packages/service/site'))).toEqual(['docs'])
  expect((await readdir(join(root, 'packages/service/site/docs'))).toSorted()).toEqual([
    '.stamp',
    'changelog.html',
    'index.html',
  ])
  expect(await run()).toEqual({ code: 0, stderr: '' })
})

test('a build waits for one that is under way, and removes what a killed one has left', async () => {
  const site = join(root, 'packages/service/site')
  const underWay = join(site, `.docs-${process.pid}-abc`)
  await mkdir(underWay, { recursive: true })
  // No process has this number.
  await mkdir(join(site, '.docs-4194305-abc'))
  const waiting = run()
  await expect.poll(() => readdir(site)).toEqual([`.docs-${process.pid}-abc`])
  await rm(underWay, { recursive: true })
  expect((await waiting).code).toBe(0)
  expect(await readdir(site)).toEqual(['docs'])
})
