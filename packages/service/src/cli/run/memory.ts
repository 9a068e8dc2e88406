import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const MB = 1024 * 1024

/** Two halves of 8 MB. V8 would use 16 MB for each, and 64 MB in Node 24. */
const MOST_YOUNG = 2 * 8 * MB
const CHECK_MS = 250

/** Most of a start takes less, and what it leaves behind has settled by then. */
const SETTLED_MS = 2_000

/**
 * Keeps the heap small: an api process under full load takes about 145 MB (`npm run bench -- footprint`). Without any of this, it took
 * 270; without the collection after the start, 160; with halves of 16 MB, about 13 more. The cost is about 25 µs of garbage collection
 * for each create. Remove it when memory matters less than that.
 *
 * Old objects are collected when they have grown by two fifths; V8 would wait until they are up to four times as many.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=40')
  limitYoungObjects()
}

/**
 * Call when the start is over. V8 has planned its next collection for three times what there was during the start, and follows
 * `keepHeapSmall` from then on, so this forces a collection.
 */
export function settleHeap(): void {
  setTimeout(collect, SETTLED_MS).unref()
}

/**
 * The room for new objects grows with what survives in it, and shrinks while the process is idle. V8 reads its limit only when Node
 * starts, so growth is turned off when the limit is reached, and on again below it. The flag is also that of threads, whose room is
 * not measured. At first, when nearly all survives, the room could double more than once between two checks, so it grows only while
 * it is still far smaller.
 */
export function limitYoungObjects(): void {
  const startedAt = performance.now()
  let grows = true
  const check = () => {
    const most = performance.now() - startedAt < SETTLED_MS ? MOST_YOUNG / 4 : MOST_YOUNG
    const mayGrow = youngBytes() < most
    if (mayGrow !== grows) setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
    grows = mayGrow
  }
  check()
  setInterval(check, CHECK_MS).unref()
}

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_size

/** V8 gives its function only to contexts that are made while the flag is set. */
function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('globalThis.gc') as (() => void) | undefined
  setFlagsFromString('--no-expose-gc')
  gc?.()
}
