/**
 * Does something again and again, never twice at once, until stopped; `stop` waits for what is under way. Work that tells
 * that there is more to do is done again at once, but not past the stop.
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
    if (!signal.aborted) plan()
  }
  const plan = () => {
    timer = setTimeout(() => {
      running = run()
    }, everyMs)
  }
  plan()
  return {
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}
