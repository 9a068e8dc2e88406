import { describe, expect, test } from 'vitest'
import { OPERATOR_SCOPES } from '@order-testing/contract'
import { roles, scopesOfRole } from '../../../src/domain/users/roles.ts'

describe('roles', () => {
  test('an administrator has every operator scope, and no scope of integrators or senders', () => {
    expect([...scopesOfRole('administrator')].toSorted()).toEqual([...OPERATOR_SCOPES].toSorted())
  })

  test('a coordinator works on orders, results and messages, and cannot change the catalog, tokens or people', () => {
    const scopes = scopesOfRole('coordinator')
    for (const area of ['orders', 'results', 'messages'] as const)
      for (const right of ['read', 'write'] as const) expect(scopes).toContain(`operator.${area}.${right}`)
    expect([...scopes].filter((scope) => /catalog|tokens|users|audit|deliveries/.test(scope))).toEqual([
      'operator.catalog.read',
    ])
  })

  test('support helps participants and works on tasks, and decides nothing about orders and results', () => {
    expect(writing('support')).toEqual([
      'operator.links.write',
      'operator.messages.write',
      'operator.participants.write',
      'operator.tasks.write',
    ])
  })

  test('an auditor changes nothing, and reads all that can be read', () => {
    expect(writing('auditor')).toEqual([])
    const readable = OPERATOR_SCOPES.filter((scope) => scope.endsWith('.read'))
    expect([...scopesOfRole('auditor')].toSorted()).toEqual(readable.toSorted())
  })

  test('a role that this release does not know grants nothing', () => {
    expect([...scopesOfRole('owner')]).toEqual([])
    expect([...scopesOfRole('constructor')]).toEqual([])
  })

  test('every role has a name, a description and each scope once', () => {
    for (const { name, description, scopes } of roles) {
      expect(name).not.toBe('')
      expect(description).toMatch(/\.$/)
      expect(new Set(scopes).size).toBe(scopes.length)
    }
  })
})

const writing = (role: string) => [...scopesOfRole(role)].filter((scope) => !scope.endsWith('.read')).toSorted()
