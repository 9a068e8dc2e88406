import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readSite, type Site } from '../../src/http/routes/site-files.ts'

const SCRIPT = fileURLToPath(new URL('../../../../scripts/site.js', import.meta.url))

/** The site as it is built from the current sources; `npm test` has built it before. */
export async function builtSite(): Promise<Site> {
  await promisify(execFile)(process.execPath, [SCRIPT])
  const site = await readSite()
  if (!site) throw new Error('The documentation is not built.')
  return site
}

/** The address of a page, by its file. */
export const addressOf = (file: string) => `/docs/${file.replace(/(^|\/)index\.html$|\.html$/, '$1')}`

/** The addresses of all pages, by file. */
export const pagesOf = (site: Site): Map<string, string> =>
  new Map(
    [...site.keys()]
      .filter((file) => file.endsWith('.html') && file !== '404.html')
      .map((file) => [addressOf(file), file]),
  )
