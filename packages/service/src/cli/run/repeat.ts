import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

/** Called when work begins to fail, or fails in another way, and without an error when it succeeds again. */
export type OnChange = (failure?: unknown) => void

/**
 * Repeats work at an interval, never concurrently, until `stop`, which waits for the current run. Work that returns true has
 * more to do and runs again at once. The first run is after an interval, or after `firstMs`.
 */
export function repeat(
  work: () => Promise<boolean | void>,
  everyMs: number,
  onChange: OnChange,
  { firstMs = everyMs } = {},
) {
  const stopping = new AbortController()
  const { signal } = stopping
  const attempt = reportChanges(work, onChange)
  const run = async () => {
    for (let ms = firstMs; await sleep(ms, true, { signal }).catch(() => false); ms = everyMs) {
      while (!signal.aborted && (await attempt()) === true);
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

/** A line in the log for each change, not for each of many failures in a row. */
export const logChanges =
  (logger: Pick<Logger, 'warn' | 'info'>, message: string): OnChange =>
  (failure) =>
    failure === undefined ? logger.info(`No longer: ${message}`) : logger.warn({ err: failure }, message)

function reportChanges(work: () => Promise<boolean | void>, onChange: OnChange) {
  let reported: string | undefined
  return async (): Promise<boolean | void> => {
    try {
      const hasMore = await work()
      if (reported !== undefined) onChange()
      reported = undefined
      return hasMore
    } catch (error) {
      const { message } = error as Error
      if (message !== reported) onChange(error)
      reported = message
    }
  }
}
