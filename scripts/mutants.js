// Puts small mistakes into domain code, one at a time, and tells which of them no test notices.
//   npm run test:mutants                    every file of the domain: more than an hour
//   npm run test:mutants -- matching        one file, or several
import { spawnSync } from 'node:child_process'

const DOMAIN = 'packages/service/src/domain'
const files = process.argv.slice(2).map((name) => `${DOMAIN}/**/${name.replace(/\.ts$/, '')}.ts`)
const mutate = files.length > 0 ? ['--mutate', files.join(',')] : []
const { status, error } = spawnSync('stryker', ['run', ...mutate], { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1
