import { mkdirSync, writeFileSync } from 'node:fs'
import { openapiText } from './openapi.ts'

const target = new URL('../../../docs/openapi.json', import.meta.url)
mkdirSync(new URL('.', target), { recursive: true })
writeFileSync(target, openapiText())
