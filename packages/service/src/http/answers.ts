import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/caller.ts'

/** Bytes of answers a node remembers. */
const REMEMBERED = 64 * 1024 * 1024

/**
 * Ready answers of catalog reads, by token and address: the catalog changes rarely and is read often.
 * A caller is found anew after every change of catalog or tokens, so an answer holds for the very caller it was made for.
 */
export class Answers {
  readonly #remembered = new LRUCache<string, { caller: Caller; bytes: Buffer }>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 100,
  })

  get(caller: Caller, url: string): Buffer | undefined {
    const known = this.#remembered.get(keyOf(caller, url))
    return known?.caller === caller ? known.bytes : undefined
  }

  set(caller: Caller, url: string, bytes: Buffer): void {
    this.#remembered.set(keyOf(caller, url), { caller, bytes })
  }
}

const keyOf = ({ tenantId, tokenId }: Caller, url: string) => `${tenantId}\n${tokenId}\n${url}`
