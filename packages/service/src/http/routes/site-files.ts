import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown, takesGzip } from '../sending.ts'

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

/** The folder of a site that was built into this package. */
export const folderOf = (name: 'docs' | 'console') => fileURLToPath(new URL(`../../../site/${name}`, import.meta.url))

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
export async function readSite(folder = folderOf('docs'), policyOf = readerPolicy): Promise<Site | undefined> {
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
    site.set(name, siteFile({ content: await readFile(path), type, isHashed: name.startsWith('assets/'), policyOf }))
  }
  return site
}

/** Reads a site once. As long as it cannot be read, each request tries again. */
export function siteLoader(read: () => Promise<Site | undefined>): () => Promise<Site | undefined> {
  let loading: Promise<Site | undefined> | undefined
  const forget = () => (loading = undefined)
  return () => {
    loading ??= read().then(
      (site) => site ?? forget(),
      (error: unknown) => {
        forget()
        throw error
      },
    )
    return loading
  }
}

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SiteFile): Promise<FastifyReply> {
  void reply.headers({
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    'referrer-policy': 'no-referrer',
    vary: 'accept-encoding',
    ...(file.policy !== undefined && { 'content-security-policy': file.policy }),
  })
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send()
  void reply.type(file.type)
  // Fonts are compressed already.
  if (file.type.startsWith('font/') || !takesGzip(request.headers['accept-encoding'])) return reply.send(file.content)
  const packed = await file.packed()
  return reply.sent ? reply : reply.header('content-encoding', 'gzip').send(packed)
}

export function siteFile({
  content,
  type,
  isHashed = false,
  policyOf = readerPolicy,
}: Pick<SiteFile, 'content' | 'type'> & { isHashed?: boolean; policyOf?: typeof readerPolicy }): SiteFile {
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

/** Of pages to read. Style attributes are those of highlighted code. */
const readerPolicy = (page: string): string =>
  strictPolicy(page).replace("style-src 'self'", "style-src 'self'; style-src-attr 'unsafe-inline'")

/**
 * Everything comes from this service. The scripts in a page, which choose colors before it is shown, are allowed by their hashes.
 */
export function strictPolicy(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, text]) => text!)
  const hashes = [...new Set(inline)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...hashes].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
