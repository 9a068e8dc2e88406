import { endpoints } from '../endpoints.ts'
import type { Endpoint } from '../endpoint.ts'
import { operatorEndpoints } from '../operator/endpoints.ts'
import * as operatorText from './operator-text.ts'
import * as text from './text.ts'

/** The values of the collection's variables; those left out have to be filled in by its user. */
export interface PostmanValues {
  baseUrl: string
  token?: string | undefined
  operatorToken?: string | undefined
  /** Whether to leave out what only a sandbox has. */
  isProduction?: boolean
}

/** A Postman collection (format 2.1) of both interfaces: a folder per tag, and the example of every operation. */
export function postmanCollection({
  baseUrl,
  token = '',
  operatorToken = '',
  isProduction = false,
}: PostmanValues): object {
  const served = Object.entries(endpoints as Record<string, Endpoint>).filter(
    ([, { isSandboxOnly }]) => !isProduction || !isSandboxOnly,
  )
  return {
    info: {
      name: text.info.title,
      description: 'Set the variables `baseUrl`, `token` and `operatorToken`.',
      version: text.info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: Object.entries({ baseUrl, token, operatorToken }).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [
      {
        name: 'Integrators',
        description: text.info.summary,
        auth: bearer('token'),
        item: folders(text.tags, Object.fromEntries(served)),
      },
      {
        name: 'Operators',
        description: operatorText.info.summary,
        auth: bearer('operatorToken'),
        item: folders(operatorText.tags, operatorEndpoints),
      },
    ],
  }
}

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

function folders(tags: typeof text.tags, all: Record<string, Endpoint>) {
  return tags.flatMap(({ name, description }) => {
    const item = Object.values(all).flatMap((endpoint) => (endpoint.tag === name ? [requestOf(endpoint)] : []))
    return item.length === 0 ? [] : [{ name, description, item }]
  })
}

function requestOf({ method, path, summary, description, example, body }: Endpoint) {
  const { params = {}, query = {}, headers = {} } = example
  const pathname = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const sent = Object.entries(query).map(([key, value]) => ({ key, value: String(value) }))
  const search = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&')
  return {
    name: summary.replace(/\.$/, ''),
    request: {
      method,
      ...(description !== undefined && { description }),
      header: Object.entries(body ? { 'Content-Type': 'application/json', ...headers } : headers).map(
        ([key, value]) => ({ key, value: key === 'Idempotency-Key' ? '{{$guid}}' : value }),
      ),
      url: {
        raw: `{{baseUrl}}${pathname}${search && `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: pathname.slice(1).split('/'),
        ...(sent.length > 0 && { query: sent }),
        variable: Object.entries(params).map(([key, value]) => ({ key, value })),
      },
      ...(body && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(example.body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
    },
    response: [],
  }
}
