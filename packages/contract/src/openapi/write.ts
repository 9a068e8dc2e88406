import { mkdirSync, writeFileSync } from 'node:fs'
import { openapiText, operatorOpenapiText } from './openapi.ts'

const docs = new URL('../../../../docs/', import.meta.url)
mkdirSync(docs, { recursive: true })
writeFileSync(new URL('openapi.json', docs), openapiText())
writeFileSync(new URL('openapi-operator.json', docs), operatorOpenapiText())
