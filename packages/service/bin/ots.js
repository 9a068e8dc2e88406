#!/usr/bin/env node
const { main } = await import('../dist/cli/main.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('The service is not built yet. Run "npm run build" first.\n')
  process.exit(1)
})

process.exit(await main(process.argv.slice(2)))
