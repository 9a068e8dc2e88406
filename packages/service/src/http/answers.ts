import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/access/caller.ts'

/** Bytes per node. */
const MAX_BYTES = 64 * 1024 * 1024

export type AnswerCache = ReturnType<typeof createAnswerCache>

/** Caches answers of catalog reads: the catalog is read often and changes rarely. */
export const createAnswerCache = () =>
  new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: (bytes, key) => bytes.length + key.length + 100,
  })

export const answerKey = ({ catalogVersion, tenantId, tokenId }: Caller, url: string) =>
  `${catalogVersion}\n${tenantId}\n${tokenId}\n${url}`
