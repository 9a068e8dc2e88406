/**
 * Puts the pages into the service's archive: they are a package for the sake of order, and of no use without it. npm bundles
 * what it finds in the package's own node_modules. With --remove, takes them out again.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const from = fileURLToPath(new URL('../packages/pages/', import.meta.url))
const to = fileURLToPath(new URL('../packages/service/node_modules/@order-testing/pages/', import.meta.url))

rmSync(to, { recursive: true, force: true })
if (!process.argv.includes('--remove')) {
  // Without dependencies, which the service has as well: npm would take them for part of the bundle and not install them.
  const { dependencies: _, devDependencies: __, ...own } = JSON.parse(readFileSync(`${from}package.json`, 'utf8'))
  mkdirSync(to, { recursive: true })
  writeFileSync(`${to}package.json`, `${JSON.stringify(own, null, 2)}\n`)
  cpSync(`${from}dist`, `${to}dist`, { recursive: true, filter: (path) => !/\.(d\.ts|map|tsbuildinfo)$/.test(path) })
}
