import { expect, test } from 'vitest'
import { endpoints } from '../src/endpoints.ts'
import { operatorOpenapi, operatorOpenapiText } from '../src/openapi/openapi.ts'
import { operatorEndpoints } from '../src/operator/endpoints.ts'
import { isStaffScope, mixesScopes, SCOPES, expandScopes, STAFF_SCOPES } from '../src/scopes.ts'
import { scopesOf, type Endpoint } from '../src/endpoint.ts'
import { checkDocument, type Document } from './documents.ts'

checkDocument({
  file: 'docs/openapi-operator.json',
  text: operatorOpenapiText(),
  endpoints: operatorEndpoints,
})

const { paths } = operatorOpenapi() as Document

test('results are accepted as JSON and HL7, and documents are returned as PDF', () => {
  const taken = paths['/api/operator/v1/results']?.['post']
  expect(Object.keys(taken?.requestBody?.content ?? {})).toEqual(['application/json', 'application/hl7-v2'])
  const given = paths['/api/operator/v1/documents/{id}']?.['get']?.responses['200']
  expect(Object.keys((given as { content: object }).content)).toEqual(['application/pdf'])
})

test('the APIs of integrators and operators share no scope and no path', () => {
  const scopes = (all: Endpoint[]) => all.flatMap((endpoint) => scopesOf(endpoint))
  expect(scopes(Object.values(endpoints)).filter((scope) => isStaffScope(scope))).toEqual([])
  expect(scopes(Object.values(operatorEndpoints)).filter((scope) => !isStaffScope(scope))).toEqual([])
  for (const path of Object.keys(paths)) expect(path).toMatch(/^\/api\/operator\/v1\//)
})

test('scopes of integrators and operators cannot be combined, and abbreviations stand for all scopes of a kind', () => {
  expect(mixesScopes([])).toBe(false)
  expect(mixesScopes(SCOPES)).toBe(false)
  expect(mixesScopes(STAFF_SCOPES)).toBe(false)
  expect(mixesScopes(['order.read', 'intake.lab'])).toBe(true)
  expect(mixesScopes(expandScopes(['all', 'operator.*']))).toBe(true)
  expect(expandScopes(['operator.*', 'intake.*', 'intake.lab'])).toEqual(STAFF_SCOPES)
  expect(expandScopes(['order.reed'])).toEqual(['order.reed'])
})
