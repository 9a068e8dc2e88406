import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelled, TENANT } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { completed, invited, linkTo, open, participantWorld, wordsOf } from './given.ts'

interface Catalog {
  tenant: object
  services: { id: string; name: string }[]
  companies: { id: string }[]
}

const TENANT_BRANDING = {
  logo: 'https://cdn.northfold.example/logo.png',
  accent: '#7A2F63',
  privacyUrl: 'https://northfold.example/privacy',
  helpEmail: 'help@northfold.example',
}

/** The catalog of the participants' tests with branding, and a Spanish name for one service. */
function branded(company: object = { accent: '#33479B', helpPhone: '+16305550101' }): object {
  const world = participantWorld() as Catalog
  return {
    ...world,
    tenant: { id: TENANT, name: 'Northfold', branding: TENANT_BRANDING },
    services: world.services.map((each) => (each.id === 'urine' ? { ...each, names: { es: 'Orina' } } : each)),
    companies: world.companies.map((each) => (each.id === 'acme' ? { ...each, branding: company } : each)),
  }
}

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(branded())
})
afterAll(() => service.stop())

const hashOf = (style: string) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`

describe('the branding of pages', () => {
  test('every page has the company’s branding, and the tenant’s where the company has none', async () => {
    const { order, secret } = await invited(service)
    for (const page of [await open(service, secret), await booked(secret)]) {
      expect(wordsOf(page)).toMatch(
        /Acme with Northfold .* Questions\? Acme \(630\) 555-0101 Northfold help@northfold\.example/,
      )
      expect(wordsOf(page)).toContain(`Order ${order.code} Privacy`)
      expect(page.text).toContain('src="https://cdn.northfold.example/logo.png"')
      expect(page.text).toContain('<style>:root{--accent:#33479B;')
    }
  })

  test('the content security policy allows exactly the styles of the page, and images from the origin of the logo', async () => {
    const { secret } = await invited(service)
    for (const page of [await open(service, secret), await booked(secret)]) {
      const policy = page.headers.get('content-security-policy')!
      for (const [, style] of page.text.matchAll(/<style>([\s\S]*?)<\/style>/g))
        expect(policy).toContain(hashOf(style!))
      expect(policy).toContain('; img-src data: https://cdn.northfold.example; ')
      expect(policy).not.toMatch(/unsafe|nonce|script-src (?!'sha256-[\w+/=]+';)/)
    }
  })

  test('an unknown link shows no branding and allows no other origin', async () => {
    const page = await open(service, 'unknown')
    expect(page.text).not.toMatch(/Acme|Northfold|33479B/)
    expect(page.headers.get('content-security-policy')).toContain('; img-src data:; ')
  })

  test('an expired link says which tenant to ask, and does not name the company', async () => {
    const { order } = await invited(service)
    const page = await open(service, await linkTo(service, order.id, { expiresAt: new Date(0) }))
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toMatch(/ N? ?Northfold .*This link has expired.* Northfold help@northfold\.example/)
    expect(page.text).not.toContain('Acme')
  })

  test('a notice about an order has its branding and says who to contact', async () => {
    const { order, secret } = await invited(service)
    await cancelled(service, order.id)
    const page = await open(service, secret)
    expect(page.status).toBe(410)
    expect(wordsOf(page)).toContain('Who to contact Acme (630) 555-0101 Northfold help@northfold.example')
    for (const text of ['Maria', 'Urine', order.code]) expect(page.text).not.toContain(text)
  })

  test('a changed branding shows on the next page', async () => {
    const { secret } = await invited(service)
    await service.apply(branded({ accent: '#005500' }))
    const page = await open(service, secret)
    expect(page.text).toContain('--accent:#005500')
    expect(page.headers.get('content-security-policy')).toContain(
      hashOf(/<style>(:root\{--accent[^<]*)</.exec(page.text)![1]!),
    )
    await service.apply(branded())
  })

  /** The pass after booking. */
  async function booked(secret: string) {
    await completed(service, secret)
    return open(service, secret)
  }
})

describe('names of services', () => {
  test('Spanish pages have the Spanish names of the catalog', async () => {
    const { secret } = await invited(service, { package: { id: 'several' } })
    const page = await open(service, secret, '?lang=es')
    expect(wordsOf(page)).toContain('Orina')
    expect(page.text).toContain('<span lang="en">Hair</span>')
    expect(wordsOf(await open(service, secret))).toContain('Urine')
  })

  test('a translation of another name is not used for the name that the order has', async () => {
    const { secret } = await invited(service)
    const world = branded() as Catalog
    const renamed = world.services.map((each) =>
      each.id === 'urine' ? { ...each, name: 'Urine 12', names: { es: 'Orina 12' } } : each,
    )
    await service.apply({ ...world, services: renamed })
    const page = await open(service, secret, '?lang=es')
    expect(page.text).toContain('<span lang="en">Urine</span>')
    expect(page.text).not.toContain('Orina')
    await service.apply(branded())
  })
})

describe('the font', () => {
  test('pages name a font that may be kept for a year, whose name changes with its content', async () => {
    const { text } = await open(service, (await invited(service)).secret)
    const [, path] = /<link rel="preload" href="(\/o\/assets\/public-sans-[0-9a-f]{16}\.woff2)"/.exec(text)!
    const response = await fetch(service.origin + path!)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('font/woff2')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(bytes.subarray(0, 4).toString()).toBe('wOF2')
    expect(path).toContain(createHash('sha256').update(bytes).digest('hex').slice(0, 16))
    expect(text).toContain(`src:url(${path})`)
    expect((await fetch(`${service.origin}/o/assets/public-sans-other.woff2`)).status).toBe(404)
  })

  test('the font does not count against the requests of a link', async () => {
    const { text } = await open(service, (await invited(service)).secret)
    const [path] = /\/o\/assets\/[\w.-]+/.exec(text)!
    const answers = await Promise.all(Array.from({ length: 80 }, () => fetch(service.origin + path)))
    expect(answers.map(({ status }) => status).filter((status) => status !== 200)).toEqual([])
  })
})
