import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { hashSecret, makeSecret } from '../../src/domain/access/tokens.ts'
import { applyCatalogs, diffCatalogs } from '../../src/operations/catalog/files.ts'
import { issueSecret, issueToken, revokeWithCallbacks } from '../../src/operations/access/tokens.ts'
import { record } from '../support/record.ts'
import { catalogFile, token } from '../support/service.ts'
import { databases, problemsOf, type Catalogs } from './databases.ts'
import { identifiers } from '../../src/store/db/sql.ts'

const database = databases()

const [FIRST, SECOND, THIRD] = ['the-first-secret-of-all', 'the-second-secret-of-all', 'the-third-secret-of-all']

/** A file with these tokens, each `id: secret`; null omits the secret. */
const file = (secrets: Record<string, string | null>, tenant = 'acme') =>
  catalogFile(tenant, {
    tokens: Object.entries(secrets).map(([id, secret]) => {
      const { secret: given, ...rest } = token(secret ?? '', { id }) as { secret: string }
      return secret === null ? { ...rest, name: id } : { ...rest, name: id, secret: given }
    }),
  })

/** The usable token of a secret, if any. */
const opened = async ({ store }: Catalogs, secret: string) =>
  (await store.tokens.findUsable(hashSecret(secret)))?.tokenId

const random = () => {
  let n = 0
  return (limit: number) => (n += 7) % limit
}

describe('Tokens in catalog files', () => {
  test('a token of a file works with the scopes and companies of the file', async () => {
    const db = await database()
    await db.apply(catalogFile('acme', { tokens: [token(FIRST, { id: 'a', scopes: ['order.read'], rateLimit: 5 })] }))
    expect(await db.store.tokens.findUsable(hashSecret(FIRST))).toEqual({
      tenantId: 'acme',
      tokenId: 'a',
      scopes: new Set(['order.read']),
      companyIds: ['acme'],
      rateLimit: 5,
      senders: null,
      expiresAt: null,
    })
  })

  test('ruling 57: a file can set, change and remove the senders of a token', async () => {
    const db = await database()
    const intake = (members: object) => ({
      ...token(FIRST, { id: 'lab', scopes: ['intake.lab', 'intake.mro'], companies: [] }),
      ...members,
    })
    const senders = [{ id: 'HEARTLAND', role: 'lab', labs: ['heartland'], timezone: 'America/Chicago' }]
    const applied = async (members: object) => db.apply(catalogFile('acme', { tokens: [intake(members)] }))
    const stored = async () => (await db.store.tokens.findUsable(hashSecret(FIRST)))?.senders
    await applied({ senders })
    expect(await stored()).toEqual(senders)
    expect((await db.export('acme')).tokens).toMatchObject([{ senders }])
    expect(await applied({ senders })).toEqual([])
    expect(await applied({ senders: [...senders, { id: 'R', role: 'mro' }] })).toEqual(['change tokens lab: senders'])
    expect(await applied({ senders: [] })).toEqual(['change tokens lab: senders'])
    expect(await stored()).toEqual([])
    expect(await applied({})).toEqual(['change tokens lab: senders'])
    expect(await stored()).toBeNull()
  })

  test('a token removed from the file stops working', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST, b: SECOND }))
    expect(await db.apply(file({ b: SECOND }))).toEqual(['deactivate tokens a'])
    expect(await opened(db, FIRST)).toBeUndefined()
    expect(await opened(db, SECOND)).toBe('b')
  })

  test('a revoked token stays revoked, whatever files do', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    await revokeWithCallbacks({ tenantId: 'acme', id: 'a' }, db.store, record)
    expect(await db.apply(file({ a: FIRST }))).toEqual([])
    expect(await opened(db, FIRST)).toBeUndefined()
    await db.apply(file({}))
    expect(await db.apply(file({ a: FIRST }))).toEqual(['add tokens a'])
    expect(await opened(db, FIRST)).toBeUndefined()
    expect(await db.apply(file({ a: SECOND }))).toEqual([])
    expect(await opened(db, SECOND)).toBeUndefined()
  })

  test('a token keeps its secret if the file omits it', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    expect(await db.apply(file({ a: null }))).toEqual([])
    expect(await opened(db, FIRST)).toBe('a')
    const renamed = catalogFile('acme', { tokens: [{ id: 'a', name: 'Renamed', scopes: [], companies: [] }] })
    expect(await db.apply(renamed)).toEqual(['change tokens a: companies, name, scopes'])
    expect(await opened(db, FIRST)).toBe('a')
  })

  test('a token without a secret gets one from the operator, and files keep it', async () => {
    const db = await database()
    await db.apply(file({ a: null }))
    const secret = await issueSecret({ tenantId: 'acme', id: 'a' }, db.store, { random: random(), record })
    expect(await db.apply(file({ a: null }))).toEqual([])
    expect(await opened(db, secret)).toBe('a')
  })

  test('a file can change the secret of a token, and the old one stops working', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    expect(await db.apply(file({ a: SECOND }))).toEqual(['change tokens a: secretHash'])
    expect(await opened(db, FIRST)).toBeUndefined()
    expect(await opened(db, SECOND)).toBe('a')
  })

  test('a renamed token keeps its secret', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    expect(await db.apply(file({ b: FIRST }))).toEqual(['add tokens b', 'deactivate tokens a'])
    expect(await opened(db, FIRST)).toBe('b')
    // Rename it back, in another order.
    expect(await db.apply(file({ a: FIRST }))).toEqual(['add tokens a', 'deactivate tokens b'])
    expect(await opened(db, FIRST)).toBe('a')
  })

  test('tokens can swap or pass on their secrets', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST, b: SECOND }))
    await db.apply(file({ a: SECOND, b: FIRST }))
    expect([await opened(db, FIRST), await opened(db, SECOND)]).toEqual(['b', 'a'])
    await db.apply(file({ a: THIRD, c: SECOND, b: FIRST }))
    expect([await opened(db, FIRST), await opened(db, SECOND), await opened(db, THIRD)]).toEqual(['b', 'c', 'a'])
  })

  test('a secret can move to another tenant, whatever the order of the files', async () => {
    for (const order of [(files: object[]) => files, (files: object[]) => files.toReversed()]) {
      const db = await database()
      await db.apply(file({ a: FIRST }, 'one'), file({ x: SECOND }, 'two'))
      await db.apply(...order([file({}, 'one'), file({ x: SECOND, y: FIRST }, 'two')]))
      expect(await db.store.tokens.findUsable(hashSecret(FIRST))).toMatchObject({ tenantId: 'two', tokenId: 'y' })
    }
  })
})

describe('Refused tokens in catalog files', () => {
  test('ruling 57: senders without the scope of their role, and duplicate senders, are refused', async () => {
    const { apply } = await database()
    const senders = [
      { id: 'R', role: 'mro' },
      { id: 'L', role: 'lab' },
      { id: 'L', role: 'lab', labs: ['heartland'] },
      { id: 'L', role: 'collector', timezone: 'Mars/Olympus' },
    ]
    const tokens = [{ id: 'lab', name: 'Lab', scopes: ['intake.lab', 'intake.collector'], companies: [], senders }]
    expect(await problemsOf(apply(catalogFile('acme', { tokens })))).toEqual([
      'invalidValue file 1#/tokens/0/senders/3/timezone',
    ])
    delete senders[3]!.timezone
    expect(await problemsOf(apply(catalogFile('acme', { tokens })))).toEqual([
      'invalidValue file 1#/tokens/0/senders/0/role',
      'invalidValue file 1#/tokens/0/senders/2/id',
    ])
  })

  test('a secret that another token of the file has is refused', async () => {
    const { apply } = await database()
    expect(await problemsOf(apply(file({ a: FIRST, b: SECOND, c: FIRST })))).toEqual([
      'invalidValue file 1#/tokens/2/secret',
    ])
  })

  test('a secret that a token of the file keeps is refused for another', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    expect(await problemsOf(db.apply(file({ a: null, b: FIRST })))).toEqual(['conflict file 1#/tokens/1/secret'])
    expect(await opened(db, FIRST)).toBe('a')
  })

  test('the same secret in two tenants is refused', async () => {
    const db = await database()
    const [one, two] = [file({ a: FIRST }, 'one'), file({ b: SECOND, a: FIRST }, 'two')]
    expect(await problemsOf(db.apply(one, two))).toEqual(['conflict file 2#/tokens/1/secret'])
    await db.apply(one)
    expect(await problemsOf(db.apply(two))).toEqual(['conflict file 1#/tokens/1/secret'])
    expect(await db.store.tokens.findUsable(hashSecret(FIRST))).toMatchObject({ tenantId: 'one' })
  })

  test('the secret of a revoked token is refused', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    await revokeWithCallbacks({ tenantId: 'acme', id: 'a' }, db.store, record)
    expect(await problemsOf(db.apply(file({ b: FIRST })))).toEqual(['conflict file 1#/tokens/0/secret'])
    await db.apply(file({}))
    expect(await problemsOf(db.apply(file({ b: FIRST })))).toEqual(['conflict file 1#/tokens/0/secret'])
    // The same after the file has another secret for the token.
    await db.apply(file({ a: SECOND }))
    expect(await problemsOf(db.apply(file({ a: SECOND, b: FIRST })))).toEqual(['conflict file 1#/tokens/1/secret'])
  })

  test('the id of a token issued by an operator is refused, and the token stays unchanged', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    const request = {
      tenantId: 'acme',
      id: 'mine',
      name: 'Mine',
      scopes: [],
      companyIds: null,
      expiresAt: null,
      rateLimit: null,
    }
    const { secret } = await issueToken(request, db.store, { random: random(), record })
    expect(await db.apply(file({ a: FIRST }))).toEqual([])
    expect(await opened(db, secret)).toBe('mine')
    expect(await problemsOf(db.apply(file({ a: FIRST, mine: SECOND })))).toEqual(['conflict file 1#/tokens/1/id'])
    expect(await problemsOf(db.apply(file({ a: secret })))).toEqual(['conflict file 1#/tokens/0/secret'])
    expect(await db.apply(file({}))).toEqual(['deactivate tokens a'])
    expect(await opened(db, secret)).toBe('mine')
    expect((await db.export('acme')).tokens).toEqual([])
  })
})

describe('secrets in catalog files', () => {
  test('a sandbox accepts secrets of 16 characters or more, even one that looks like a damaged issued secret', async () => {
    const db = await database()
    const issued = makeSecret(random())
    const damaged = `${issued.slice(0, -1)}${issued.endsWith('0') ? '1' : '0'}`
    await db.apply(file({ a: 'sixteen-letters!', b: issued, c: damaged }))
    expect(await opened(db, 'sixteen-letters!')).toBe('a')
    expect(await opened(db, issued)).toBe('b')
    expect(await opened(db, damaged)).toBe('c')
  })

  test('a sandbox refuses a secret of 15 characters, with a pointer', async () => {
    const db = await database()
    expect(await problemsOf(db.apply(file({ a: FIRST, b: 'fifteen-letters' })))).toEqual([
      'tooSmall file 1#/tokens/1/secret',
    ])
  })

  test('production refuses all secrets, with pointers, and names the command that issues one', async () => {
    const db = await database()
    const content = file({ a: FIRST, b: null, c: SECOND })
    const applied = applyCatalogs([{ name: 'file 1', content }], db.store, { production: true })
    await expect(applied).rejects.toThrow(/file 1#\/tokens\/0\/secret: .*"ots token issue"/)
    expect(await problemsOf(applied)).toEqual([
      'invalidValue file 1#/tokens/0/secret',
      'invalidValue file 1#/tokens/2/secret',
    ])
    expect(await db.rows()).toBe(0)
    const diff = diffCatalogs([{ name: 'file 1', content }], db.store, { production: true })
    expect(await problemsOf(diff)).toHaveLength(2)
  })

  test('production accepts a file without secrets, and a token keeps its secret', async () => {
    const db = await database()
    await db.apply(file({ a: FIRST }))
    await applyCatalogs([{ name: 'file 1', content: file({ a: null }) }], db.store, { production: true })
    expect(await opened(db, FIRST)).toBe('a')
  })
})

test('the use of a token is recorded without waiting for a command that changes it', async () => {
  const db = await database()
  await db.apply(file({ a: FIRST, b: SECOND }))
  const at = new Date()
  const uses = ['b', 'a', 'b'].map((tokenId) => ({ tenantId: 'acme', tokenId, at }))
  await db.pool.transaction(async (other) => {
    await other`select from tokens where id = 'a' for update`
    await db.store.tokens.recordUse(uses)
  })
  const used = async () => (await db.store.tokens.list('acme')).map(({ id, lastUsedAt }) => [id, lastUsedAt])
  expect(await used()).toEqual([
    ['a', null],
    ['b', at],
  ])
  await db.store.tokens.recordUse(uses)
  expect(await used()).toEqual([
    ['a', at],
    ['b', at],
  ])
})

test('no token is issued while files are applied', async () => {
  const db = await database()
  await db.apply(file({ a: null }))
  const done: string[] = []
  let issued: Promise<unknown> = Promise.resolve()
  await db.store.transaction(async (tx) => {
    await tx.catalog.lock()
    const request = {
      tenantId: 'acme',
      id: 'b',
      name: 'B',
      scopes: [],
      companyIds: null,
      expiresAt: null,
      rateLimit: null,
    }
    issued = Promise.all([
      issueToken(request, db.store, { random: random(), record }).then(() => done.push('created')),
      issueSecret({ tenantId: 'acme', id: 'a' }, db.store, { random: (limit) => limit - 1, record }).then(() =>
        done.push('issued'),
      ),
    ])
    await sleep(200)
    expect(done).toEqual([])
  })
  await issued
  expect(done).toHaveLength(2)
})

test('secrets are neither in a table nor in an export', async () => {
  const db = await database()
  await db.apply(file({ a: FIRST }))
  expect(JSON.stringify(await db.export('acme'))).not.toContain(FIRST)
  const tables = await db.pool<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  expect(tables.map(({ name }) => name)).toContain('tokens')
  for (const { name } of tables) {
    const rows = await db.pool`select t::text as row from ${identifiers(name)} t`
    expect(JSON.stringify(rows)).not.toContain(FIRST)
  }
})
