/** Makes declarations refer to each other as `.js`: tsc leaves the `.ts` of the sources, which Deno does not understand. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

for (const entry of readdirSync(DIST, { withFileTypes: true, recursive: true })) {
  if (!entry.name.endsWith('.d.ts')) continue
  const file = join(entry.parentPath, entry.name)
  const text = readFileSync(file, 'utf8')
  const changed = text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
  if (changed === text) continue
  writeFileSync(`${file}.tmp`, changed)
  // In one step, so that no reader finds half a file.
  renameSync(`${file}.tmp`, file)
}
