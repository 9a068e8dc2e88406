/**
 * Builds what the service serves as files, if its sources changed: the documentation into packages/service/site/docs, the
 * console into packages/service/site/console.
 *   node scripts/site.js              fails if it cannot be built
 *   node scripts/site.js --optional   says why, and succeeds: the service starts without it
 *   node scripts/site.js console      builds only this one
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** Each is built by its script into an empty folder. `tool` is the package that builds it, a development dependency. */
const SITES = [
  {
    name: 'documentation',
    place: 'packages/service/site/docs',
    script: 'packages/docs/scripts/build.js',
    tool: 'vitepress',
    sources: [
      'packages/docs/src',
      'packages/docs/vitepress',
      'packages/docs/scripts',
      'packages/contract/src',
      'packages/service/src',
      'docs/guides',
      'CHANGELOG.md',
      'scripts/site.js',
    ],
  },
  {
    name: 'console',
    place: 'packages/service/site/console',
    script: 'packages/console/scripts/build.js',
    tool: 'vite',
    sources: [
      'packages/console/src',
      'packages/console/public',
      'packages/console/scripts',
      'packages/console/index.html',
      'packages/console/package.json',
      'packages/console/vite.config.ts',
      'packages/client/src',
      'package-lock.json',
      'scripts/site.js',
    ],
  },
]

const POLL_MS = 200

const isOptional = process.argv.includes('--optional')
const wanted = process.argv.slice(2).filter((each) => !each.startsWith('--'))
for (const site of SITES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  try {
    await keepCurrent(site)
  } catch (error) {
    process.stderr.write(`The ${site.name} is not built: ${error.message}\n`)
    if (!isOptional) process.exitCode = 1
  }
}

async function keepCurrent(site) {
  const place = join(ROOT, site.place)
  const version = toolVersion(site.tool)
  const sources = await hashOf(site.sources, version)
  // Another start may be building it.
  for (;;) {
    if ((await readStamp(place)).sources === sources) return
    if (!(await isBeingBuilt(place))) break
    await sleep(POLL_MS)
  }
  if (version === undefined)
    throw new Error(`${site.tool} is not installed. Install the development dependencies: npm ci`)
  const scratch = await scratchFolder(place)
  try {
    await build(site, { place, sources, scratch })
  } finally {
    await rm(scratch, { recursive: true })
  }
}

async function build({ name, script }, { place, sources, scratch }) {
  const pages = await run(script, '--fingerprint')
  const stamp = `${sources}\n${pages}\n`
  // Most changes of the code change no page.
  if ((await readStamp(place)).pages === pages) return writeFile(join(place, '.stamp'), stamp)
  process.stderr.write(`Building the ${name}, which takes up to half a minute …\n`)
  const fresh = join(scratch, 'fresh')
  await mkdir(fresh)
  await run(script, fresh)
  await writeFile(join(fresh, '.stamp'), stamp)
  return replace(place, { fresh, old: join(scratch, 'old') })
}

function toolVersion(name) {
  try {
    return createRequire(import.meta.url)(`${name}/package.json`).version
  } catch {
    return undefined
  }
}

/** The stamp of what was built: a hash of the sources, and a fingerprint of the pages that were composed from them. */
async function readStamp(place) {
  const text = await readFile(join(place, '.stamp'), 'utf8').catch(() => '')
  const [sources, pages] = text.split('\n')
  return { sources, pages }
}

/** A hash of all that the site is made from. */
async function hashOf(sources, version) {
  const hash = createHash('sha256').update(`${version}\n`)
  for (const source of sources)
    for (const path of await filesOf(join(ROOT, source)))
      hash.update(`${relative(ROOT, path)}\n`).update(await readFile(path))
  return hash.digest('hex')
}

async function filesOf(path) {
  if (!existsSync(path)) return []
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** Beside the site, so that it can be renamed. The name has the process that builds, to tell when it has ended. */
async function scratchFolder(place) {
  await mkdir(dirname(place), { recursive: true })
  return mkdtemp(join(dirname(place), `.${basename(place)}-${process.pid}-`))
}

/** Whether another process builds the site. Removes what killed ones have left. */
async function isBeingBuilt(place) {
  const names = await readdir(dirname(place)).catch(() => [])
  const scratch = names.filter((name) => name.startsWith(`.${basename(place)}-`))
  const dead = scratch.filter((name) => !isAlive(Number(name.split('-')[1])))
  for (const name of dead) await rm(join(dirname(place), name), { recursive: true, force: true })
  return scratch.length > dead.length
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Returns what the script printed. Errors of a build are shown only if it fails. */
function run(script, argument) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, script), argument], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed = []
    const errors = []
    child.stdout.on('data', (chunk) => printed.push(chunk))
    child.stderr.on('data', (chunk) => errors.push(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(printed).toString().trim())
      else
        reject(
          new Error(
            `its build failed.\n${Buffer.concat([...printed, ...errors])
              .toString()
              .trim()}`,
          ),
        )
    })
  })
}

/** Of two builds that end at the same time, one wins: both are made from the same sources. */
async function replace(place, { fresh, old }) {
  await rename(place, old).catch(ignore('ENOENT'))
  await rename(fresh, place).catch(ignore('ENOTEMPTY', 'EEXIST'))
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error
  }
}
