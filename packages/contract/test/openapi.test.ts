import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../src/endpoints.ts'
import { Event } from '../src/events.ts'
import { openapi, openapiText } from '../src/openapi/openapi.ts'
import { Order } from '../src/orders.ts'
import { signV2 } from '../src/signature.ts'
import { checkDocument, expectWhole, resolve, type Document, type Parameter } from './documents.ts'

const document = openapi() as Document

checkDocument({ file: 'docs/openapi.json', text: openapiText(), endpoints })

describe('webhooks', () => {
  test.each([
    ['order.updated', Event, 't=1772464445,', '1772464445.'],
    ['order.updated.v1', Order, '', ''],
  ] as const)('the example delivery of %s has a valid body and signature', (name, schema, prefix, signedTime) => {
    const delivery = document.webhooks[name]?.post
    const body = delivery?.requestBody?.content['application/json']?.example
    expectWhole(schema, body)
    const [header] = delivery?.parameters.map((each) => resolve<Parameter>(document, each).example) ?? []
    const mac = createHmac('sha256', 'signing-secret').update(signedTime + JSON.stringify(body))
    expect(header).toBe(`${prefix}sha256=${mac.digest('hex')}`)
  })

  test('the code sample of the introduction accepts genuine deliveries and refuses others', async () => {
    const [, sample] = /```js\n(.*?)```/s.exec(document.info.description) ?? []
    const source = `data:text/javascript,${encodeURIComponent(`${sample}\nexport { isGenuine }`)}`
    const { isGenuine } = (await import(source)) as { isGenuine: (...delivery: unknown[]) => boolean }
    const body = Buffer.from('{"name":"Núñez"}')
    const at = (now: Date) => signV2({ body, secret: 'secret', now })
    expect(isGenuine(body, at(new Date()), 'secret')).toBe(true)
    expect(isGenuine(body, at(new Date()), 'another')).toBe(false)
    expect(isGenuine(body, at(new Date(Date.now() - 301_000)), 'secret')).toBe(false)
    expect(isGenuine(body, 'sha256=00', 'secret')).toBe(false)
  })
})

test('ruling 40: the document describes equivalent orders and the effect of matchScore', () => {
  const { OrderMatching } = (openapi() as { components: { schemas: Record<string, unknown> } }).components.schemas
  const { matchScore } = (OrderMatching as { properties: Record<string, { description: string }> }).properties
  expect(matchScore?.description).toContain('chooses among equivalent orders')
  expect(matchScore?.description).toContain('without `order.participant.read`')
})
