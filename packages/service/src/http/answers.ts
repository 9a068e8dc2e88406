import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/access/caller.ts'

/** Bytes of answers a node remembers. */
const REMEMBERED = 64 * 1024 * 1024

/** Ready answers of catalog reads, by version of the catalog, token and address: the catalog changes rarely and is read often. */
export class Answers {
  readonly #remembered = new LRUCache<string, Buffer>({
    maxSize: REMEMBERED,
    sizeCalculation: (bytes, key) => bytes.length + key.length + 100,
  })

  get(caller: Caller, url: string): Buffer | undefined {
    return this.#remembered.get(keyOf(caller, url))
  }

  set(caller: Caller, url: string, bytes: Buffer): void {
    this.#remembered.set(keyOf(caller, url), bytes)
  }
}

const keyOf = ({ catalogVersion, tenantId, tokenId }: Caller, url: string) =>
  `${catalogVersion}\n${tenantId}\n${tokenId}\n${url}`
