#!/usr/bin/env node
// Serves, as `npm start` does in a checkout. Commands work as well.
if (process.argv.length === 2) process.argv.push('serve')
await import('./ots.js')
