/** Generates a client with every generator: node generate.js DOCUMENT FOLDER BASE_URL */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'
import openapiTypescript, { astToString } from 'openapi-typescript'
import orval from 'orval'

const [document, folder, baseUrl] = process.argv.slice(2)

writeFileSync(join(folder, 'openapi-typescript.ts'), astToString(await openapiTypescript(pathToFileURL(document))))

await createClient({
  input: document,
  output: join(folder, 'hey-api'),
  plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
  logs: { level: 'error', file: false },
})

const generate = typeof orval === 'function' ? orval : orval.default
await generate({
  input: document,
  output: { target: join(folder, 'orval.ts'), client: 'fetch', baseUrl },
})
