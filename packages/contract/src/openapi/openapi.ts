import { endpoints } from '../endpoints.ts'
import { composeDocument } from './document.ts'
import { refusal } from './refusals.ts'
import { info, tags } from './text.ts'
import { webhooks } from './webhooks.ts'
import { operatorEndpoints } from '../operator/endpoints.ts'
import * as operator from './operator-text.ts'
import { operatorRefusal } from './operator-refusals.ts'

/** The OpenAPI document of the API for integrators. */
export const openapi = (): object =>
  composeDocument({ info, tags, endpoints: Object.values(endpoints), webhooks, refusal })

/** The OpenAPI document of the API for operators and senders of results. */
export const operatorOpenapi = (): object =>
  composeDocument({
    info: operator.info,
    tags: operator.tags,
    endpoints: Object.values(operatorEndpoints),
    refusal: operatorRefusal,
  })

/** The content of `docs/openapi.json` and `docs/openapi-operator.json`. */
export const openapiText = () => toText(openapi())
export const operatorOpenapiText = () => toText(operatorOpenapi())

const toText = (document: object) => `${JSON.stringify(document, null, 2)}\n`
