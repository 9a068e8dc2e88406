import { readFile } from 'node:fs/promises'
import { hashSecret } from '../../domain/access/tokens.ts'
import type { Store } from '../../store/store.ts'

export const DEMO_CATALOG = new URL('../../../catalog/demo.json', import.meta.url)

export const readDemo = async () =>
  JSON.parse(await readFile(DEMO_CATALOG, 'utf8')) as { tokens: { id: string; secret: string }[] }

/** Usable tokens whose secret is in the demo catalog, which is public. */
export async function publicTokens(store: Pick<Store, 'tokens'>): Promise<{ tenantId: string; tokenId: string }[]> {
  const secrets = (await readDemo()).tokens.map(({ secret }) => secret)
  const found = await Promise.all(secrets.map((secret) => store.tokens.findUsable(hashSecret(secret))))
  return found.filter((token) => token !== undefined)
}
