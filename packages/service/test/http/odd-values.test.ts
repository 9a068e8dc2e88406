import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR } from '../support/operator.ts'
import { requestOf, routed as operatorRouted, walkedWorld } from '../support/operator-walk.ts'
import { startService, type TestService } from '../support/service.ts'
import { problemsOf } from './answers.ts'
import { exampleOf, placeOf, prairieCatalog, prairieToken, everyOperation, type Request, type Routed } from './walk.ts'

/** In JSON: values whose conversion to text or number fails, or gives what nobody expects. */
const ODD = [
  '{"toString":1,"valueOf":1}',
  '{"toString":null,"toJSON":1,"then":1}',
  '{"__proto__":{"toString":1},"constructor":{"prototype":1},"length":1e9}',
  '[{"toString":1}]',
  '[[],null,1e400,-0]',
]

const SECRET = 'prairie-secret-full'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(prairieCatalog('prairie', [prairieToken(SECRET)]), walkedWorld())
})
afterAll(() => service.stop())

/** All bodies in which one value of the given one, at any depth, is replaced by a text. */
function replaced(value: unknown, text: string): string[] {
  if (typeof value !== 'object' || value === null) return [text]
  const inside = Object.entries(value).flatMap(([name, member]) =>
    replaced(member, text).map((changed) => {
      const marked = Array.isArray(value)
        ? value.map((item, i) => (String(i) === name ? '@@' : (item as unknown)))
        : { ...value, [name]: '@@' }
      return JSON.stringify(marked).replace('"@@"', () => changed)
    }),
  )
  return [text, ...inside]
}

/** Those of the bodies that the service fails at, or answers with more problems than an error body may have. */
async function failuresAt(secret: string, { method, path }: Request, bodies: string[]): Promise<string[]> {
  const failures: string[] = []
  for (const body of bodies) {
    const answer = await service.call(secret, { method, path, body })
    const isWell = answer.status < 300 || (answer.status < 500 && problemsOf(answer).length <= 100)
    if (!isWell) failures.push(`${answer.status} ${answer.text} to ${body}`)
  }
  return failures
}

const bodied = (endpoints: Routed[]) => endpoints.filter(({ body }) => body).map((each) => [each.name, each] as const)

describe('an odd value in place of any other is refused and never causes a failure', { timeout: 240_000 }, () => {
  test.each(bodied(everyOperation))('odd values in a body of %s are refused', async (_, endpoint) => {
    const request = exampleOf(endpoint)
    const bodies = ODD.flatMap((text) => replaced(request.body, text))
    expect(await failuresAt(SECRET, request, bodies)).toEqual([])
  })

  test.each(bodied(operatorRouted))('odd values in a body of %s are refused', async (_, endpoint) => {
    const request = await requestOf(service, endpoint)
    // There are many: each place gets two of the values, by turns.
    const bodies = ODD.flatMap((text, turn) =>
      replaced(request.body ?? {}, text).filter((__, place) => place < 60 && (place + turn) % ODD.length < 2),
    )
    expect(await failuresAt(OPERATOR, request, bodies)).toEqual([])
  })

  test.each(
    [...everyOperation, ...operatorRouted].filter(({ query }) => query).map((each) => [each.name, each] as const),
  )('odd values in the query of %s are refused', async (name, endpoint) => {
    const secret = operatorRouted.includes(endpoint) ? OPERATOR : SECRET
    const { method, path } = exampleOf(endpoint)
    for (const parameter of [...Object.keys(endpoint.query?.shape ?? {}), 'toString', '__proto__', 'constructor']) {
      for (const value of ['', 'toString', '__proto__']) {
        const query = `${parameter}=${value}&${parameter}=${value}&${parameter}[toString]=1`
        const answer = await service.call(secret, { method, path: `${placeOf(path)}?${query}` })
        expect({ name, query, failed: answer.status >= 500 }).toEqual({ name, query, failed: false })
      }
    }
  })
})
