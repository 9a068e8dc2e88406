/**
 * Repeats work at an interval, never concurrently, until `stop`, which waits for the current run. Work that returns true has
 * more to do and runs again at once.
 */
export function repeat(work: () => Promise<boolean | void>, everyMs: number, onFailure: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    for (let isMore = true; isMore && !signal.aborted;) {
      isMore = await work().then(
        (more) => more === true,
        (error: unknown) => {
          onFailure(error)
          return false
        },
      )
    }
    if (!signal.aborted) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => {
      running = run()
    }, everyMs)
  }
  schedule()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
