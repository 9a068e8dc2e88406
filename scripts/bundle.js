/**
 * Bundles the compiled service with most of the libraries it uses into packages/service/dist/bundle, which `ots` runs: loading a
 * thousand modules one by one takes longer than all else at its start. Does nothing if the bundle is up to date.
 *   node scripts/bundle.js              fails if it cannot be made
 *   node scripts/bundle.js --optional   succeeds without the bundler, a development dependency: `ots` then runs the modules
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBundled } from '../packages/service/bin/program.js'

const SERVICE = fileURLToPath(new URL('../packages/service/', import.meta.url))
const PLACE = join(SERVICE, 'dist/bundle')

/** Libraries that find files of their own beside their code, or that another thread loads by name. */
const WITH_FILES = ['@order-testing/embedded-postgres', 'fontkit', 'passkit-generator', 'pdfkit', 'pino']

/** Half of Fastify's code. It loads them only for routes with JSON schemas, which ours do without. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

const APART = [...WITH_FILES, ...UNUSED]

/** Zod's messages in fifty languages, of which we use one. */
const LANGUAGES = join('zod', 'v4', 'locales', 'index.js')
const ENGLISH = `export { default as en } from './en.js'`

/** V8 takes two bytes for each character of a file with one beyond Latin-1. */
const WIDE = /[^\0-\xFF]/u

/** Everything but the entry is in this folder: as deep below the package as most modules, which find its files by relative addresses. */
const FOLDER = 'commands'

if (!isBundled()) await bundle()

async function bundle() {
  const { rolldown } = await import('rolldown').catch((error) => {
    if (!process.argv.includes('--optional')) throw error
    process.exit(0)
  })
  let isReplaced = false
  const commands = readdirSync(join(SERVICE, 'dist/cli/commands')).filter((name) => name.endsWith('.js'))
  const build = await rolldown({
    cwd: SERVICE,
    platform: 'node',
    input: {
      main: 'dist/cli/main.js',
      [`${FOLDER}/thread`]: 'dist/threads/thread.js',
      ...Object.fromEntries(commands.map((name) => [`${FOLDER}/${name.slice(0, -3)}`, `dist/cli/commands/${name}`])),
    },
    // Nothing is left out: the bundler takes calls whose result is unused for harmless, and removed one that throws for bad input.
    treeshake: false,
    external: (id) => APART.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [
      {
        name: 'one-language',
        load(id) {
          if (!id.endsWith(LANGUAGES)) return undefined
          isReplaced = true
          return ENGLISH
        },
      },
    ],
    onwarn: ({ message }) => {
      throw new Error(message)
    },
  })
  const made = `${PLACE}.${process.pid}`
  const { output } = await build.write({
    dir: made,
    entryFileNames: '[name].js',
    chunkFileNames: `${FOLDER}/[name]-[hash].js`,
    minify: false,
    // V8 keeps the source of what is loaded. Only tagged templates are not escaped.
    comments: false,
    charset: 'ascii',
  })
  const misplaced = output.filter(
    ({ fileName, code }) => dirname(fileName) !== FOLDER && code.includes('import.meta.url'),
  )
  if (misplaced.length > 0) throw new Error(`${misplaced[0].fileName} would not find its files.`)
  const wide = output.find(({ code }) => WIDE.test(code))
  if (wide)
    throw new Error(`${wide.fileName} has ${WIDE.exec(wide.code)[0]} in a tagged template: insert it as a value.`)
  if (!isReplaced) throw new Error(`There is no ${LANGUAGES} any more.`)
  writeFileSync(join(made, 'LICENSES.txt'), licensesOf(output.flatMap(({ moduleIds }) => moduleIds)))
  rmSync(PLACE, { recursive: true, force: true })
  renameSync(made, PLACE)
}

/** The licences of the bundled libraries, which must go with their code. */
function licensesOf(moduleIds) {
  const folders = moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id) ?? [])
  const licenses = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
    return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8') : `${license}\n`}`
  })
  return licenses.join(`\n${'-'.repeat(80)}\n\n`)
}
