/**
 * Puts the pages into the service's archive: they are a package for the sake of order, and of no use without it. npm bundles
 * what it finds in the package's own node_modules. With --remove, takes them out again.
 */
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const from = fileURLToPath(new URL('../packages/pages/', import.meta.url))
const to = fileURLToPath(new URL('../packages/service/node_modules/@order-testing/pages/', import.meta.url))

rmSync(to, { recursive: true, force: true })
if (!process.argv.includes('--remove')) {
  cpSync(`${from}package.json`, `${to}package.json`)
  cpSync(`${from}dist`, `${to}dist`, { recursive: true, filter: (path) => !/\.(d\.ts|map|tsbuildinfo)$/.test(path) })
}
