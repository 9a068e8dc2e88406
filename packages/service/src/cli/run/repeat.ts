import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Repeats work at an interval, never concurrently, until `stop`, which waits for the current run. Work that returns true has
 * more to do and runs again at once.
 */
export function repeat(work: () => Promise<boolean | void>, everyMs: number, onFailure: (error: unknown) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (await sleep(everyMs, true, { signal }).catch(() => false)) {
      while (!signal.aborted && (await work().catch(onFailure)) === true);
    }
  }
  const running = run()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
