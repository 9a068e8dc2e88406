import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The files of a built site, by their path below it: `guides/webhooks.html`. */
export type Site = ReadonlyMap<string, SiteFile>

export interface SiteFile {
  content: Buffer
  type: string
  etag: string
  /** Whether its name has a hash of its content, so that it never changes. */
  isHashed: boolean
  /** Of pages: what they may load and run. */
  policy?: string
  /** Compresses the file on first use. */
  packed(): Promise<Buffer>
}

const FOLDER = fileURLToPath(new URL('../../../site/docs', import.meta.url))

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Reads the whole site, a few megabytes: pages and their scripts then belong together, even if the site is built again meanwhile.
 * Undefined if it was not built.
 */
export async function readSite(folder = FOLDER): Promise<Site | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  if (!entries) return undefined
  const site = new Map<string, SiteFile>()
  for (const entry of entries) {
    const type = TYPES[extname(entry.name)]
    if (!entry.isFile() || type === undefined) continue
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    site.set(name, siteFile({ content: await readFile(path), type, isHashed: name.startsWith('assets/') }))
  }
  return site
}

export function siteFile({
  content,
  type,
  isHashed = false,
}: Pick<SiteFile, 'content' | 'type'> & { isHashed?: boolean }): SiteFile {
  let packed: Promise<Buffer> | undefined
  return {
    content,
    type,
    // Weak, because both encodings share it.
    etag: `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
    isHashed,
    ...(type.startsWith('text/html') && { policy: policyOf(content.toString()) }),
    packed: () => (packed ??= promisify(gzip)(content)),
  }
}

/**
 * Everything comes from this service. The scripts in a page, which choose colors before it is shown, are allowed by their hashes.
 * Style attributes are those of highlighted code.
 */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text!)
  const hashes = [...new Set(inline)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
