import { endpoints } from '../endpoints.ts'
import { documentOf } from './document.ts'
import { refusal } from './refusals.ts'
import { info, tags } from './text.ts'
import { webhooks } from './webhooks.ts'
import { operatorEndpoints } from '../operator/endpoints.ts'
import * as operator from './operator-text.ts'
import { operatorRefusal } from './operator-refusals.ts'

/** The OpenAPI document of the interface for integrators. */
export const openapi = (): object => documentOf({ info, tags, endpoints: Object.values(endpoints), webhooks, refusal })

/** The document of what operators, and those who bring results, may ask for. */
export const operatorOpenapi = (): object =>
  documentOf({
    info: operator.info,
    tags: operator.tags,
    endpoints: Object.values(operatorEndpoints),
    refusal: operatorRefusal,
  })

/** The documents as they are published: what `docs/openapi.json` and `docs/openapi-operator.json` hold. */
export const openapiText = () => textOf(openapi())
export const operatorOpenapiText = () => textOf(operatorOpenapi())

const textOf = (document: object) => `${JSON.stringify(document, null, 2)}\n`
