/**
 * Runs `ots` commands one after the other in one process, because loading them takes longer than most of them run. Started
 * by processes.ts with an IPC channel; ends with it, however the test process ends.
 */
import { main } from '../../dist/cli/main.js'

let previous = Promise.resolve()

process.on('message', (call) => {
  previous = previous.then(() => run(call))
})
process.on('disconnect', () => process.exit())

// Output is collected, even if the tests run in a terminal.
for (const name of ['stdout', 'stderr']) process[name].isTTY = false

async function run({ id, args, env }) {
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'])
    process[name].write = (chunk, ...rest) => {
      output[name] += chunk.toString()
      rest.findLast((each) => typeof each === 'function')?.()
      return true
    }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  process.send({ id, code: await main(args), ...output })
}
