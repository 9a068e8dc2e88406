import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Target } from '../../src/store/db/address.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { onDatabase } from './global-setup.ts'

const PASSWORD = 'for-tests-alone'

export interface TwoRoles {
  owner: Target
  runtime: Target
  runtimeRole: string
  /** Connected as the owner. */
  pool: Pool
  drop(): Promise<void>
}

/** An empty database whose owner is not a superuser, and a role without privileges. */
export async function twoRoles(): Promise<TwoRoles> {
  const name = `ots_test_${randomBytes(6).toString('hex')}`
  const [ownerRole, runtimeRole] = [`${name}_owner`, `${name}_service`]
  const admin = connect(inject('server'), { max: 1 })
  for (const role of [ownerRole, runtimeRole]) await admin.script(`create role ${role} login password '${PASSWORD}'`)
  await admin.script(`create database ${name} owner ${ownerRole}`)
  const owner = asRole(onDatabase(inject('server'), name), ownerRole)
  const pool = connect(owner)
  return {
    owner,
    runtime: asRole(onDatabase(inject('server'), name), runtimeRole),
    runtimeRole,
    pool,
    async drop() {
      await pool.end()
      await admin.script(`drop database ${name} with (force)`)
      await admin.script(`drop role ${ownerRole}; drop role ${runtimeRole}`)
      await admin.end()
    },
  }
}

function asRole(target: Target, role: string): Target {
  if (typeof target !== 'string') return { ...target, username: role, password: PASSWORD }
  const url = new URL(target)
  url.username = role
  url.password = PASSWORD
  return url.href
}
