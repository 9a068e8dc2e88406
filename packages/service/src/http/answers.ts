import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/caller.ts'

/** Characters of answers a node remembers. */
const REMEMBERED = 64 * 1024 * 1024

/**
 * Ready answers of catalog reads, by token and address: the catalog changes rarely and is read often.
 * A caller is found anew after every change of catalog or tokens, so an answer holds for the very caller it was made for.
 */
export class Answers {
  readonly #remembered = new LRUCache<string, { caller: Caller; text: string }>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ text }, key) => text.length + key.length + 100,
  })

  get(caller: Caller, url: string): string | undefined {
    const known = this.#remembered.get(keyOf(caller, url))
    return known?.caller === caller ? known.text : undefined
  }

  set(caller: Caller, url: string, text: string): void {
    this.#remembered.set(keyOf(caller, url), { caller, text })
  }
}

const keyOf = ({ tenantId, tokenId }: Caller, url: string) => `${tenantId}\n${tokenId}\n${url}`
