/**
 * Builds the documentation: pages are composed, or copied, into a scratch folder, where VitePress finds them.
 *   node packages/docs/scripts/build.js FOLDER          builds into the folder
 *   node packages/docs/scripts/build.js --fingerprint   prints a hash of what would be built
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sidebarOf } from '../dist/sidebar.js'
import { composeFiles, composePages } from '../dist/site.js'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = fileURLToPath(new URL('../vitepress/', import.meta.url))
const SCRATCH = fileURLToPath(new URL('../build/', import.meta.url))

const files = await sourceFiles()
if (process.argv[2] === '--fingerprint') process.stdout.write(`${fingerprintOf(files)}\n`)
else await buildInto(resolve(process.argv[2]))

async function buildInto(folder) {
  const { build } = await import('vitepress')
  await mkdir(SCRATCH, { recursive: true })
  const scratch = await mkdtemp(join(SCRATCH, 'site-'))
  try {
    for (const [path, content] of files) {
      await mkdir(dirname(join(scratch, path)), { recursive: true })
      await writeFile(join(scratch, path), content)
    }
    await build(scratch, { outDir: folder })
  } finally {
    await rm(scratch, { recursive: true })
  }
}

function fingerprintOf(contents) {
  const { version } = createRequire(import.meta.url)('vitepress/package.json')
  const hash = createHash('sha256').update(version)
  for (const [path, content] of contents) hash.update(`${path}\n`).update(content)
  return hash.digest('hex')
}

/** Everything that VitePress reads, by path. */
async function sourceFiles() {
  const pages = [...(await guides()), ...composePages()]
  const changelog = { path: 'changelog.md', markdown: await readFile(join(ROOT, 'CHANGELOG.md'), 'utf8') }
  const config = `import { siteConfig } from './site.js'\nexport default siteConfig(${JSON.stringify(sidebarOf(pages))})\n`
  return new Map([
    ...[...pages, changelog].map((page) => fileOf(page)),
    ...Object.entries(composeFiles()).map(([path, content]) => [`public/${path}`, content]),
    ...(await themeFiles()),
    ['.vitepress/config.js', config],
  ])
}

async function guides() {
  const folder = join(ROOT, 'docs/guides')
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map(async (name) => {
        const markdown = await readFile(join(folder, name), 'utf8')
        return { path: `guides/${name}`, title: /^# (.*)$/m.exec(markdown)?.[1] ?? name, markdown }
      }),
  )
}

/** Links of pages are addresses of the service, while VitePress expects paths within the site. */
function fileOf({ path, markdown }) {
  return [path, markdown.replaceAll('](/docs/', '](/')]
}

async function themeFiles() {
  const entries = await readdir(SOURCES, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(paths.toSorted().map(async (path) => [relative(SOURCES, path), await readFile(path)]))
}
