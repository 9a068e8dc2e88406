import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from './settings.ts'

export const DEMO_CATALOG = new URL('../../../catalog/demo.json', import.meta.url)

/** A token that the database accepts with a secret of the demo catalog, which is public. */
export interface PublicToken {
  /** In the demo catalog. */
  id: string
  secret: string
  tenantId: string
  tokenId: string
}

export const readDemo = async () =>
  JSON.parse(await readFile(DEMO_CATALOG, 'utf8')) as { tokens: { id: string; secret: string }[] }

export async function publicTokens(store: Pick<Store, 'tokens'>): Promise<PublicToken[]> {
  const found = (await readDemo()).tokens.map(async ({ id, secret }) => {
    const usable = await store.tokens.findUsable(hashSecret(secret))
    return usable ? [{ id, secret, tenantId: usable.tenantId, tokenId: usable.tokenId }] : []
  })
  return (await Promise.all(found)).flat()
}

/** The demo tokens that the pages of a sandbox show. */
export async function demoTokens(store: Pick<Store, 'tokens'>) {
  const tokens = await publicTokens(store)
  const secretOf = (name: string) => tokens.find(({ id }) => id === name)?.secret
  return { integrator: secretOf('demo'), operator: secretOf('demo-operator') }
}

/** Fills a sandbox whose demo catalog was just applied. It is useful without, so a failure does not stop the start. */
export async function seedDemo({ callbackAllow }: Config, store: Store, logger: Logger): Promise<void> {
  const { integrator, operator } = await demoTokens(store)
  const callerOf = async (secret = '') => {
    const token = await store.tokens.findUsable(hashSecret(secret))
    return token && { ...token, catalogVersion: '' }
  }
  const [placing, operating] = await Promise.all([callerOf(integrator), callerOf(operator)])
  if (!placing || !operating) return
  const policy = { production: false, callbackAllow }
  const begun = performance.now()
  try {
    const { seedSandbox } = await import('../../operations/sandbox/seed.ts')
    await seedSandbox({ store, policy, integrator: placing, operator: operating, now: new Date() })
    logger.info({ ms: Math.round(performance.now() - begun) }, 'Example orders placed')
  } catch (error) {
    logger.warn({ err: error }, 'Failed to place the example orders')
  }
}
