import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/access/caller.ts'

/** Bytes of cached answers per node. */
const MAX_BYTES = 64 * 1024 * 1024

/** Caches answers of catalog reads by catalog version, token and URL: the catalog is read often and changes rarely. */
export class Answers {
  readonly #cache = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length + 100,
  })

  get(caller: Caller, url: string): Buffer | undefined {
    return this.#cache.get(keyOf(caller, url))
  }

  set(caller: Caller, url: string, bytes: Buffer): void {
    this.#cache.set(keyOf(caller, url), bytes)
  }
}

const keyOf = ({ catalogVersion, tenantId, tokenId }: Caller, url: string) =>
  `${catalogVersion}\n${tenantId}\n${tokenId}\n${url}`
