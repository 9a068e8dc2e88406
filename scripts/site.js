/**
 * Builds what the service serves as files, if its sources changed: the documentation into packages/service/site/docs.
 *   node scripts/site.js              fails if it cannot be built
 *   node scripts/site.js --optional   says why, and succeeds: the service starts without it
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
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
]

/** Scratch folders of builds that were killed are removed after this time. */
const ABANDONED_MS = 3_600_000

const isOptional = process.argv.includes('--optional')
for (const site of SITES) {
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
  const built = await readStamp(place)
  if (built.sources === sources) return
  if (version === undefined)
    throw new Error(`${site.tool} is not installed. Install the development dependencies: npm ci`)
  const script = join(ROOT, site.script)
  const pages = await run(script, '--fingerprint')
  const stamp = `${sources}\n${pages}\n`
  // Most changes of the code change no page.
  if (built.pages === pages) return writeFile(join(place, '.stamp'), stamp)
  process.stderr.write(`Building the ${site.name}, which takes up to half a minute …\n`)
  await mkdir(dirname(place), { recursive: true })
  await removeAbandoned(dirname(place))
  const fresh = await mkdtemp(join(dirname(place), `.${basename(place)}-`))
  try {
    await run(script, fresh)
    await writeFile(join(fresh, '.stamp'), stamp)
    await replace(place, fresh)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
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

async function removeAbandoned(folder) {
  for (const name of (await readdir(folder)).filter((each) => each.startsWith('.'))) {
    const path = join(folder, name)
    const age = await stat(path).then(({ mtimeMs }) => Date.now() - mtimeMs, ignore('ENOENT'))
    if (age > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Returns what the script printed. Errors of a build are shown only if it fails. */
function run(script, argument) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, argument], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
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
async function replace(place, fresh) {
  const old = await mkdtemp(join(dirname(place), `.${basename(place)}-`))
  await rename(place, join(old, 'site')).catch(ignore('ENOENT'))
  await rename(fresh, place).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(old, { recursive: true })
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error
  }
}
