import { makeId } from '../../domain/ids.ts'
import { notFound, orNotFound } from '../../domain/refusal.ts'
import type { User } from '../../domain/users/users.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { startSession, type Browser, type ConsoleContext, type NewSession } from './sessions.ts'

/** The tenant of the demo catalog. */
export const DEMO_TENANT = 'demo'

const DEMO_OPERATOR = { email: 'demo.operator@sandbox.invalid', name: 'Demo operator', role: 'administrator' } as const

/** The tenant that the demo operator of a sandbox works for: that of the demo catalog, or the first. */
export async function demoTenant(store: Pick<Store, 'catalog'>): Promise<string | undefined> {
  const ids = (await store.catalog.tenants()).map(({ id }) => id)
  return ids.includes(DEMO_TENANT) ? DEMO_TENANT : ids[0]
}

/** Signs in the demo operator of a sandbox, who is added at the first sign-in. */
export async function signInDemo(browser: Browser, context: ConsoleContext): Promise<NewSession> {
  if (context.production) throw notFound()
  const tenantId = orNotFound(await demoTenant(context.store))
  return context.store.transaction(async (tx) =>
    startSession(await findOrAdd(tenantId, tx, context), { method: 'demo', browser }, tx, context),
  )
}

async function findOrAdd(tenantId: string, tx: Transaction, { now, random }: ConsoleContext): Promise<User> {
  const found = await tx.users.findByEmail(tenantId, DEMO_OPERATOR.email)
  if (!found) {
    const createdAt = now()
    const id = makeId('usr', createdAt, random.bytes)
    const fresh = { isActive: true, isDemo: true, oidc: null, lastSignInAt: null, createdAt }
    // Two clicks at once add one person.
    await tx.users.add({ tenantId, id, ...DEMO_OPERATOR, ...fresh })
  }
  const { id } = orNotFound(found ?? (await tx.users.findByEmail(tenantId, DEMO_OPERATOR.email)))
  return orNotFound(await tx.users.lock(tenantId, id))
}
