import { readFile } from 'node:fs/promises'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Store } from '../../store/store.ts'

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
