import { endpoints } from '../endpoints.ts'
import { operatorEndpoints } from '../operator/endpoints.ts'
import { composeDocument } from './document.ts'
import * as operatorText from './operator-text.ts'
import { operatorRefusal, refusal } from './refusals.ts'
import * as text from './text.ts'
import { webhooks } from './webhooks.ts'

export { postmanCollection, type PostmanValues } from './postman.ts'

/** The OpenAPI document of the API for integrators. */
export const openapi = () => composeDocument({ ...text, endpoints, webhooks, refusal })

/** The OpenAPI document of the API for operators and senders of results. */
export const operatorOpenapi = () =>
  composeDocument({ ...operatorText, endpoints: operatorEndpoints, refusal: operatorRefusal })

/** The content of `docs/openapi.json` and `docs/openapi-operator.json`. */
export const openapiText = () => toText(openapi())
export const operatorOpenapiText = () => toText(operatorOpenapi())

const toText = (document: object) => `${JSON.stringify(document, null, 2)}\n`
