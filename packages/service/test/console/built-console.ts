import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { folderOf, readSite, strictPolicy, type Site } from '../../src/http/routes/site-files.ts'

const SCRIPT = fileURLToPath(new URL('../../../../scripts/site.js', import.meta.url))

/** The console as it is built from the current sources. */
export async function builtConsole(): Promise<Site> {
  await promisify(execFile)(process.execPath, [SCRIPT, 'console'])
  const site = await readSite(folderOf('console'), strictPolicy)
  if (!site) throw new Error('The console is not built.')
  return site
}
