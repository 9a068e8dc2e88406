import { execFile, spawnSync } from 'node:child_process'
import { chmod, cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Binaries, locateShipped, prepareBinaries, type Shipped } from '../src/binaries.ts'
import { isRoot, newFolder, NOBODY, removeFoldersAfterAll } from './folders.ts'
import { isBuiltFor } from './owner-process.ts'

removeFoldersAfterAll()

test('missing library links are created, also by two processes at once', async () => {
  const shipped = await packageWithoutLinks()
  expect(spawnSync(join(shipped.root, 'native/bin/initdb'), ['--version']).status).not.toBe(0)
  const home = await newFolder()
  const [one, two] = await Promise.all([prepareBinaries(shipped, home, null), prepareBinaries(shipped, home, null)])
  expect(one).toEqual(two)
  expect(versionOf(one)).toContain(`(PostgreSQL) ${one.major}.`)
  expect(await readdir(home)).toEqual([])
})

test('a package in which links cannot be created is copied once', async (context) => {
  if (isRoot && !(await isBuiltFor(NOBODY))) context.skip('the checkout is closed to other users')
  const shipped = await packageWithoutLinks()
  const libraries = join(shipped.root, 'native/lib')
  await chmod(libraries, 0o555)
  const home = await newFolder({ mode: 0o777 })
  const [one, two] = await Promise.all([prepareElsewhere(shipped, home), prepareElsewhere(shipped, home)])
  await chmod(libraries, 0o755)
  expect(one).toEqual(two)
  expect(one.postgres.startsWith(home)).toBe(true)
  expect(versionOf(one)).toContain(`(PostgreSQL) ${one.major}.`)
  expect(await readdir(home)).toHaveLength(1)
})

/** The package as npm unpacks it. */
async function packageWithoutLinks(): Promise<Shipped> {
  const shipped = locateShipped()
  const root = join(await newFolder(), 'package')
  await cp(shipped.root, root, { recursive: true, verbatimSymlinks: true })
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as { target: string }[]
  await Promise.all(links.map(({ target }) => rm(join(root, target), { force: true })))
  return { ...shipped, root }
}

/** In a process whose user cannot write in the package: to root every folder is open. */
async function prepareElsewhere(shipped: Shipped, home: string): Promise<Binaries> {
  const compiled = new URL('../dist/binaries.js', import.meta.url).href
  const program = `
    import { prepareBinaries } from ${JSON.stringify(compiled)}
    console.log(JSON.stringify(await prepareBinaries(${JSON.stringify(shipped)}, ${JSON.stringify(home)}, null)))`
  const options = { cwd: '/', ...(isRoot ? NOBODY : {}) }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options)
  return JSON.parse(stdout) as Binaries
}

function versionOf({ initdb }: Binaries): string {
  return spawnSync(initdb, ['--version'], { encoding: 'utf8' }).stdout
}
