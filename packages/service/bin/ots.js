#!/usr/bin/env node
import { program } from './program.js'

const { main } = await import(program()).catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('The service is not built yet. Run "npm run build" first.\n')
  process.exit(1)
})

// A reader that closes the pipe early is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const code = await main(process.argv.slice(2))
// process.exit() would drop output that a slow reader has not read yet.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write('', done))))
process.exit(code)
