import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

const MB = 1024 * 1024

/** New objects get two halves of at most 16 MB, as V8 has it in Node 20 and 22. In Node 24 it would take up to 64 MB for each. */
const YOUNG_BYTES = 2 * 16 * MB
const CHECK_MS = 250

/**
 * Keeps the heap small. With Node 20, an api process under full load takes 185 instead of 270 MB, at 0.97 of the rate of reads; with
 * Node 24, 220 instead of 330 MB (`npm run bench -- footprint read`, with and without). Remove it when memory matters less than that.
 *
 * Old objects are collected when they have grown by half; V8 would wait until they are up to four times as many. The room for new
 * objects grows with what survives in it, and shrinks while the process is idle. V8 reads its limit only when Node starts, so
 * growth is turned off while it is reached. `bin/ots.js` turns it off while modules are loaded.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=50')
  const check = () => setFlagsFromString(`--semi-space-growth-factor=${youngBytes() < YOUNG_BYTES ? 2 : 1}`)
  setInterval(check, CHECK_MS).unref()
}

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_size
