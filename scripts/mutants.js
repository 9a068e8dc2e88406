// Introduces small faults into domain code, one at a time, and reports those that no test detects.
//   npm run test:mutants                                 all of the domain: more than an hour
//   npm run test:mutants -- retry catalog/files audit    some files, with or without their folder, or whole folders
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

const DOMAIN = 'packages/service/src/domain'
const modules = readdirSync(DOMAIN, { recursive: true }).flatMap((path) => /^(.*)\.ts$/.exec(path)?.[1] ?? [])

const files = process.argv.slice(2).flatMap((argument) => {
  const name = argument.replace(/\.ts$/, '')
  const named = modules.filter((each) => `/${each}`.endsWith(`/${name}`) || each.startsWith(`${name}/`))
  if (named.length === 0) throw new Error(`There is no file or folder ${name} below ${DOMAIN}.`)
  return named.map((each) => `${DOMAIN}/${each}.ts`)
})
const mutate = files.length > 0 ? ['--mutate', files.join(',')] : []
const { status, error } = spawnSync('stryker', ['run', ...mutate], { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1
