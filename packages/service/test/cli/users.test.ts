import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPERATOR, staffed } from '../support/operator.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'
import { TENANT } from '../orders/given.ts'
import { addedUser, asPage, signedIn } from '../users/given.ts'
import { commands } from './run-commands.ts'

let service: TestService
let env: Record<string, string>
beforeAll(async () => {
  service = await startService({ publicUrl: 'https://orders.example/' })
  await service.apply(staffed())
  env = {
    OTS_URL: service.origin,
    OTS_TOKEN: OPERATOR,
    OTS_DATA_DIR: await newFolder(),
    DATABASE_URL: urlOf(service.target),
    OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`,
  }
})
removeFoldersAfterAll()
afterAll(() => service.stop())

const { outputOf, errorOf } = commands(() => env)
const LINK = /^https:\/\/orders\.example\/console\/invitation\/otsi_\w{38}\n$/

const invite = (email: string) => ots(['users', 'invite', email, '--name', 'Rosa Delgado', '--role', 'support'], env)

describe('ots users', () => {
  test('the first person of a database is invited with a token that a command creates', async () => {
    const { stdout: token } = await ots(['token', 'create', '--scopes', 'operator.*', '--name', 'First'], env)
    const args = ['users', 'invite', 'first@example.com', '--name', 'First', '--role', 'administrator']
    const { code, stdout, stderr } = await ots(args, { ...env, OTS_TOKEN: token.trim() })
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(LINK) as string })
    expect(stderr).toContain('Invited as administrator. The link above was not sent: give it to first@example.com.')
  })

  test('people are listed, changed, invited again, signed out and deactivated by their address', async () => {
    expect((await invite('rosa@example.com')).stdout).toMatch(LINK)
    expect(await outputOf('users', 'list')).toMatch(
      /usr_\w+ +rosa@example\.com +Rosa Delgado +support +invited +0 passkeys +never signed in/,
    )
    expect(await outputOf('users', 'update', 'Rosa@example.com', '--role', 'auditor', '--name', 'Rosa')).toBe(
      'Rosa (rosa@example.com) is auditor, invited.\n',
    )
    expect((await ots(['users', 'reinvite', 'rosa@example.com'], env)).stdout).toMatch(LINK)
    expect(await outputOf('users', 'sign-out', 'rosa@example.com')).toBe('Ended 0 sessions.\n')
    expect(await outputOf('users', 'deactivate', 'rosa@example.com')).toBe('rosa@example.com can no longer sign in.\n')
    expect(await outputOf('users', 'update', 'rosa@example.com', '--activate')).toBe(
      'Rosa (rosa@example.com) is auditor, invited.\n',
    )
  })

  test('a second invitation, an unknown person and an update without a change are refused', async () => {
    await invite('twice@example.com')
    expect(await errorOf('users', 'invite', 'twice@example.com', '--name', 'T', '--role', 'support')).toContain(
      '/email: Somebody with this e-mail address was invited already. (conflict)',
    )
    expect(await errorOf('users', 'deactivate', 'nobody@example.com')).toBe(
      'Nobody has the e-mail address nobody@example.com.\n',
    )
    expect(await errorOf('users', 'update', 'twice@example.com')).toBe('Give --name, --role or --activate.\n')
  })

  test('ots audit shows the name of the person who acted', async () => {
    const user = await addedUser(service, { tenantId: TENANT, name: 'Ada Example' })
    const { secret } = await signedIn(service, user)
    const body = { email: 'by-ada@example.com', name: 'By Ada', role: 'support' }
    const answer = await asPage(service, secret, ['POST', '/api/operator/v1/users', body], {
      origin: 'https://orders.example',
    })
    expect(answer.status).toBe(201)
    expect(await outputOf('audit', '--by', user.id, '--action', 'user.invite')).toMatch(/Ada Example +user\.invite/)
  })

  test('an unknown role is wrong usage', async () => {
    const { code, stderr } = await ots(['users', 'invite', 'x@example.com', '--name', 'X', '--role', 'owner'], env)
    expect(code).toBe(2)
    expect(stderr).toContain('administrator, coordinator, support, auditor')
  })
})
