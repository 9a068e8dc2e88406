/**
 * Builds the console.
 *   node packages/console/scripts/build.js FOLDER          builds into the folder
 *   node packages/console/scripts/build.js --fingerprint   prints a hash of what would be built
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
/** The client is bundled into it. */
const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', '../client/src']

if (process.argv[2] === '--fingerprint') process.stdout.write(`${await fingerprint()}\n`)
else await buildInto(resolve(process.argv[2]))

async function buildInto(outDir) {
  // Whoever starts the build may have another one, and React would then be that of development.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  await build({ root: PACKAGE, configFile: join(PACKAGE, 'vite.config.ts'), logLevel: 'warn', build: { outDir } })
}

async function fingerprint() {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const path of await filesOf(join(PACKAGE, source)))
      hash.update(`${relative(PACKAGE, path)}\n`).update(await readFile(path))
  return hash.digest('hex')
}

async function filesOf(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
