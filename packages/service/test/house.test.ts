import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SERVICE = join(ROOT, 'packages/service/src')

/** A room imports only from rooms with a lower number, and from itself. */
const ROOMS: Record<string, number> = {
  domain: 1,
  store: 2,
  operations: 3,
  webhooks: 3,
  intake: 3,
  notify: 3,
  threads: 4,
  http: 5,
  cli: 6,
}

const CONSOLE = join(ROOT, 'packages/console/src')

/** The rooms of the console, the lowest first. */
const CONSOLE_ROOMS = ['languages', 'api', 'parts', 'shell', 'pages']

/** What the domain may import besides itself: none of it does I/O. */
const PURE = new Set([
  '@order-testing/contract/agencies',
  '@order-testing/contract/operator',
  'node:buffer',
  'node:crypto',
  'node:util',
  'node:zlib',
  '@order-testing/contract',
  'ipaddr.js',
  'libphonenumber-js/min',
  'd3-geo',
  '@photostructure/tz-lookup',
  'double-metaphone',
  'lru-cache',
])

/** The tables of places and the outlines are read once. */
const EXCEPTIONS: Record<string, string> = { 'postal-places.ts': 'node:fs', 'atlas.ts': 'node:fs' }

/** What each package may import of our own. */
const PACKAGES: Record<string, string[]> = {
  contract: [],
  // Types of the contract are generated into it, so that users install nothing else.
  client: [],
  // Of the contract only the table of agencies, which needs no library.
  console: ['@order-testing/client', '@order-testing/contract'],
  docs: ['@order-testing/client', '@order-testing/contract', '@order-testing/service'],
  'embedded-postgres': [],
  pages: ['@order-testing/contract'],
  service: [
    '@order-testing/client',
    '@order-testing/contract',
    '@order-testing/embedded-postgres',
    '@order-testing/pages',
  ],
}

describe('ARCHITECTURE: the rooms of the house', () => {
  const files = sources(SERVICE)

  test('every file of the service is in a room', () => {
    expect(files.map(({ path }) => roomOf(path)).filter((room) => !(room in ROOMS))).toEqual([])
  })

  test('imports go only to rooms with a lower number', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => resolve(dirname(path), name))
        .filter((target) => roomOf(target) !== roomOf(path) && !(rank(target) < rank(path)))
        .map((target) => `${relative(SERVICE, path)} imports ${relative(SERVICE, target)}`),
    )
    expect(wrong).toEqual([])
  })

  test('rooms of the console import only rooms with a lower number', () => {
    const rankOf = (path: string) => CONSOLE_ROOMS.indexOf(relative(CONSOLE, path).split('/')[0]!)
    const all = sources(CONSOLE)
    const wrong = all.flatMap(({ path, imports }) =>
      imports
        .filter((name) => name.startsWith('.'))
        .map((name) => resolve(dirname(path), name))
        .filter((target) => rankOf(path) >= 0 && (rankOf(target) < 0 || rankOf(target) > rankOf(path)))
        .map((target) => `${relative(CONSOLE, path)} imports ${relative(CONSOLE, target)}`),
    )
    expect(wrong).toEqual([])
    // Beside the rooms are only the start and the routes.
    const beside = all.map(({ path }) => relative(CONSOLE, path)).filter((path) => !path.includes('/'))
    expect(beside.toSorted()).toEqual(['main.tsx', 'router.tsx'])
  })

  test('features of a room do not depend on each other in circles', () => {
    const circles = Object.keys(ROOMS).flatMap((room) => circlesOf(featuresOf(files, room)))
    expect(circles).toEqual([])
  })

  test.each(packages())('the files of %s do not import each other in circles', (name) => {
    const uses = sources(join(ROOT, 'packages', name, 'src')).map(({ path, imports }): [string, Set<string>] => [
      relative(ROOT, path),
      new Set(
        imports.filter((each) => each.startsWith('.')).map((each) => relative(ROOT, resolve(dirname(path), each))),
      ),
    ])
    expect(circlesOf(new Map(uses))).toEqual([])
  })

  test('domain, store and operations call the same feature by the same name', () => {
    const known = new Set(features('domain'))
    const extra = new Set(['db', 'sealing'])
    for (const room of ['store', 'operations'])
      expect(features(room).filter((name) => !known.has(name) && !extra.has(name))).toEqual([])
  })

  test('SQL is written in the store alone', () => {
    const users = files.filter(({ imports }) => imports.includes('pg')).map(({ path }) => relative(SERVICE, path))
    expect(users.filter((path) => !path.startsWith('store/db/'))).toEqual([])
  })

  test('the domain does no I/O and takes time and randomness as arguments', () => {
    const domain = files.filter(({ path }) => roomOf(path) === 'domain')
    const wrong = domain.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !name.startsWith('.') && !PURE.has(name) && EXCEPTIONS[basename(path)] !== name)
        .map((name) => `${relative(SERVICE, path)} imports ${name}`),
    )
    expect(wrong).toEqual([])
    const clocks = domain.filter(({ text }) =>
      /Date\.now\(|new Date\(\)|Math\.random|randomBytes|randomInt|randomUUID/.test(text),
    )
    expect(clocks.map(({ path }) => relative(SERVICE, path))).toEqual([])
  })

  test('packages import of ours only what they may', () => {
    const wrong = packages().flatMap((name) =>
      sources(join(ROOT, 'packages', name, 'src')).flatMap(({ path, imports }) =>
        imports
          .filter((imported) => imported.startsWith('@order-testing/'))
          .map((imported) => imported.split('/').slice(0, 2).join('/'))
          .filter((imported) => !PACKAGES[name]?.includes(imported))
          .map((imported) => `${relative(ROOT, path)} imports ${imported}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  test('the service needs what its bundled pages need, in the same versions', () => {
    const dependenciesOf = (name: string) =>
      (JSON.parse(readFileSync(join(ROOT, `packages/${name}/package.json`), 'utf8')) as { dependencies: object })
        .dependencies
    expect(dependenciesOf('service')).toMatchObject(dependenciesOf('pages'))
  })

  test('a circle would be seen', () => {
    const uses = (text: string) => new Map(text.split(' ').map((pair) => [pair[0]!, new Set(pair.slice(1))]))
    expect(circlesOf(uses('ab bc c'))).toEqual([])
    expect(circlesOf(uses('ab bc ca d'))).toEqual(['a > b > c', 'b > c > a', 'c > a > b'])
  })

  test('an import that breaks the rules would be seen', () => {
    expect(importsOf("import { a } from '../http/server.ts'\nexport * from './b.ts'\nawait import('node:fs')")).toEqual(
      ['../http/server.ts', './b.ts', 'node:fs'],
    )
  })
})

const features = (room: string) =>
  readdirSync(join(SERVICE, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

/** What each feature of a room imports from the others. A file beside the folders counts as a feature of its own. */
function featuresOf(files: Source[], room: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { path, imports } of files.filter((file) => roomOf(file.path) === room)) {
    const own = featureOf(path)
    const used = found.get(own) ?? new Set()
    for (const target of imports.filter((name) => name.startsWith('.')).map((name) => resolve(dirname(path), name)))
      if (roomOf(target) === room && featureOf(target) !== own) used.add(featureOf(target))
    found.set(own, used)
  }
  return found
}

/** The features or files that lead back to themselves, with one way for each. */
function circlesOf(uses: Map<string, Set<string>>): string[] {
  const wayBack = (from: string, to: string, seen: Set<string>): string[] | undefined => {
    for (const next of uses.get(from) ?? []) {
      if (next === to) return [from]
      if (seen.has(next)) continue
      const way = wayBack(next, to, seen.add(next))
      if (way) return [from, ...way]
    }
    return undefined
  }
  return [...uses.keys()].flatMap((name) => wayBack(name, name, new Set())?.join(' > ') ?? [])
}

const featureOf = (path: string) => relative(SERVICE, path).split('/').slice(1, 2).join()

const roomOf = (path: string) => relative(SERVICE, path).split('/')[0] ?? ''
const rank = (path: string) => ROOMS[roomOf(path)] ?? Number.POSITIVE_INFINITY

function packages(): string[] {
  return readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
}

interface Source {
  path: string
  text: string
  imports: string[]
}

function sources(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      return { path, text, imports: importsOf(text) }
    })
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)['"]([^'"]+)['"]/gm)].map(([, name]) => name!)
}
