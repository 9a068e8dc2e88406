import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR_SCOPES } from '@order-testing/contract'
import type { InvitationMail } from '../../src/domain/users/users.ts'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { verifyAudit } from '../../src/operations/audit/verify.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { addedUser, asPage, CONSOLE, signedIn } from './given.ts'

const OPERATOR = 'north-secret-operator'
const SOUTH = 'south-secret-operator'
const USERS = '/api/operator/v1/users'

const sent: InvitationMail[] = []
let service: TestService

beforeAll(async () => {
  service = await startService({
    sendInvitation: async (mail) => {
      sent.push(mail)
      return true
    },
  })
  const operator = (secret: string) => token(secret, { id: 'operator', scopes: OPERATOR_SCOPES, companies: [] })
  await service.apply(
    catalogFile('north', { tokens: [operator(OPERATOR)] }),
    catalogFile('south', { tokens: [operator(SOUTH)] }),
  )
})
afterAll(() => service.stop())

let invitations = 0
const rosa = (members: object = {}) => ({
  email: `rosa-${(invitations += 1)}@example.com`,
  name: 'Rosa Delgado',
  role: 'coordinator',
  ...members,
})

const call = (method: string, path: string, body?: unknown, secret = OPERATOR) =>
  service.call(secret, { method, path: USERS + path, ...(body !== undefined && { body }) })

const secretIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)
const readInvitation = (url: string) => asPage(service, null, ['GET', `${CONSOLE}/invitations/${secretIn(url)}`])

describe('invitations', () => {
  test('an invitation answers with a link to the console, and sends it by mail', async () => {
    const body = rosa()
    const answer = await call('POST', '', body)
    expect(answer).toMatchObject({
      status: 201,
      body: { ...body, object: 'user', state: 'invited', isActive: true, passkeys: 0, invitation: { isMailed: true } },
    })
    const { url, expiresAt } = answer.body.invitation
    const port = new URL(service.origin).port
    expect(url).toMatch(new RegExp(`^http://localhost:${port}/console/invitation/otsi_\\w{38}$`))
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(7 * 24 * 3600_000 - 60_000)
    expect(sent.at(-1)).toMatchObject({ to: body.email, name: body.name, tenantName: 'Tenant north', url })
    expect(await readInvitation(url)).toMatchObject({
      status: 200,
      body: { object: 'invitation', email: body.email, name: body.name, role: body.role, tenantName: 'Tenant north' },
    })
    const stored = await service.pool<{ row: string }[]>`
      select user_invitations::text as row from user_invitations union all select users::text from users`
    expect(
      stored.filter(({ row }) => row.includes(secretIn(url)) || row.includes('rosa') || row.includes('Delgado')),
    ).toEqual([])
  })

  test('an address is invited once in a tenant, whatever its case, and again in another', async () => {
    const body = rosa()
    expect((await call('POST', '', body)).status).toBe(201)
    expect(await call('POST', '', { ...body, email: body.email.toUpperCase() })).toMatchObject({
      status: 409,
      body: { errors: [{ code: 'conflict', source: { pointer: '/email' } }] },
    })
    expect((await call('POST', '', body, SOUTH)).status).toBe(201)
  })

  test('of two invitations of one address at once, one is refused', async () => {
    const body = rosa()
    const answers = await Promise.all([call('POST', '', body), call('POST', '', body)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  test('an unknown role, a missing name and an invalid address are all reported', async () => {
    const answer = await call('POST', '', { email: 'rosa', role: 'owner' })
    expect(answer.status).toBe(400)
    const pointers = answer.body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer)
    expect(pointers.toSorted()).toEqual(['/email', '/name', '/role'])
  })

  test('a new invitation replaces the earlier link', async () => {
    const { id, invitation } = (await call('POST', '', rosa())).body
    const again = await call('POST', `/${id}/invitation`)
    expect(again.status).toBe(201)
    expect((await readInvitation(invitation.url)).status).toBe(404)
    expect((await readInvitation(again.body.invitation.url)).status).toBe(200)
  })

  test('an expired, damaged or unknown link is not found, with the same answer', async () => {
    const { id, invitation } = (await call('POST', '', rosa())).body
    await service.pool`update user_invitations set expires_at = now() - interval '1 second' where user_id = ${id}`
    const answers = await Promise.all([
      readInvitation(invitation.url),
      readInvitation(`${invitation.url}x`),
      readInvitation('/otsi_unknown'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('production without a public address invites nobody', async () => {
    const policy = { production: true, callbackAllow: [] }
    const production = await startService({ policy })
    try {
      await production.apply(
        catalogFile('north', { tokens: [token(OPERATOR, { scopes: OPERATOR_SCOPES, companies: [] })] }),
      )
      const answer = await production.call(OPERATOR, { method: 'POST', path: USERS, body: rosa() })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 'invalidState' }] } })
      expect(answer.text).toContain('OTS_PUBLIC_URL')
      expect(await production.pool`select from users`).toEqual([])
    } finally {
      await production.stop()
    }
  })
})

describe('people', () => {
  test('people of another tenant are not found, listed or changed', async () => {
    const { id } = (await call('POST', '', rosa())).body
    for (const [method, path, body] of [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`, { isActive: false }],
      ['POST', `/${id}/invitation`],
      ['DELETE', `/${id}/sessions`],
    ] as const)
      expect((await call(method, path, body, SOUTH)).status).toBe(404)
    const { body } = await call('GET', '', undefined, SOUTH)
    expect(body.data.map((user: { id: string }) => user.id)).not.toContain(id)
  })

  test('deactivating ends sessions and invitations, and activating again brings neither back', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    const { url } = (await call('POST', `/${user.id}/invitation`)).body.invitation
    expect(await call('PATCH', `/${user.id}`, { isActive: false })).toMatchObject({ body: { state: 'deactivated' } })
    expect((await call('POST', `/${user.id}/invitation`)).status).toBe(422)
    expect(await call('PATCH', `/${user.id}`, { isActive: true })).toMatchObject({ body: { state: 'active' } })
    expect((await readInvitation(url)).status).toBe(404)
    expect((await asPage(service, secret, ['GET', `${CONSOLE}/session`])).status).toBe(401)
  })

  test('nobody can change the own role or deactivate themselves, but the own name', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    const change = (body: object) => asPage(service, secret, ['PATCH', `${USERS}/${user.id}`, body])
    expect((await change({ role: 'auditor' })).status).toBe(422)
    expect((await change({ isActive: false })).status).toBe(422)
    expect(await change({ name: 'New Name' })).toMatchObject({ status: 200, body: { name: 'New Name' } })
  })

  test('an operator signs a person out everywhere', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    await signedIn(service, user)
    expect(await call('DELETE', `/${user.id}/sessions`)).toMatchObject({ status: 200, body: { sessions: 2 } })
    expect((await asPage(service, secret, ['GET', `${CONSOLE}/session`])).status).toBe(401)
  })

  test('no token can have an id like those of people', async () => {
    const body = { id: 'usr_01kjqj3c5f7v9x2m4n6p8r0s1t', name: 'Impostor', scopes: ['operator.orders.read'] }
    const answer = await service.call(OPERATOR, { method: 'POST', path: '/api/operator/v1/tokens', body })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ source: { pointer: '/id' } }] } })
    const file = catalogFile('north', { tokens: [token('impostor-secret-long', { id: body.id })] })
    await expect(service.apply(file)).rejects.toThrow(/those of people/)
  })

  test('roles are listed with their scopes', async () => {
    const { status, body } = await service.call(OPERATOR, '/api/operator/v1/roles')
    expect(status).toBe(200)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      'administrator',
      'coordinator',
      'support',
      'auditor',
    ])
  })
})

describe('the audit log', () => {
  test('entries name the person who acted, and can be filtered by person', async () => {
    const user = await addedUser(service, { name: 'Ada Auditor' })
    const { secret } = await signedIn(service, user)
    const invited = await asPage(service, secret, ['POST', USERS, rosa()])
    const { body } = await asPage(service, secret, ['GET', `/api/operator/v1/audit?userId=${user.id}`])
    expect(body.data).toMatchObject([
      {
        action: 'user.invite',
        user: { id: user.id, name: 'Ada Auditor' },
        actor: { type: 'user' },
        subject: { type: 'user', id: invited.body.id, name: 'Rosa Delgado' },
      },
      { action: 'session.start', user: { id: user.id, name: 'Ada Auditor' } },
    ])
    const ofToken = await service.call(OPERATOR, '/api/operator/v1/audit?tokenId=operator&limit=1')
    expect(ofToken.body.data[0]).toMatchObject({ user: null, actor: { type: 'token' } })
  })

  test('the chain covers the person: an entry that names somebody else is found', async () => {
    const user = await addedUser(service)
    await signedIn(service, user)
    while (await linkAudit(service.store));
    const faults = async () => (await verifyAudit('north', service.store, { recheckAfterMs: 0 })).faults
    expect(await faults()).toEqual([])
    const blame = (name: string | null) =>
      service.pool.script(`
        alter table audit_entries disable trigger user;
        update audit_entries set user_id = ${name === null ? 'null' : `'${name}'`} where token_id = '${user.id}';
        alter table audit_entries enable trigger user`)
    for (const name of ['usr_somebody_else', null]) {
      await blame(name)
      expect(await faults()).toMatchObject([{ kind: 'altered' }])
    }
    await blame(user.id)
    expect(await faults()).toEqual([])
  })
})
