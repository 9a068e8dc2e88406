// Runs a program that would outlive the tests, and ends it with them: node --import END_WITH_PARENT supervise.js PROGRAM ARGUMENT…
import { spawn } from 'node:child_process'

const [file, ...args] = process.argv.slice(2)
const child = spawn(file, args, { stdio: 'inherit' })
// A smart shutdown of PostgreSQL, which SIGTERM asks for, waits for every client.
const ending = file.endsWith('/postgres') ? 'SIGINT' : 'SIGTERM'
process.on('SIGTERM', () => child.kill(ending))
process.on('SIGHUP', () => child.kill('SIGHUP'))
child.on('exit', (code) => process.exit(code ?? 1))
