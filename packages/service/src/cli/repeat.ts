/**
 * Does something again and again, never twice at once, until stopped; `stop` waits for what is under way. Work that tells
 * that there is more to do is done again at once, but not past the stop.
 */
export function repeat(work: () => Promise<boolean | void>, everyMs: number, onFailure: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const run = async () => {
    try {
      while (!stopped && (await work()) === true);
    } catch (error) {
      onFailure(error)
    }
    if (!stopped) plan()
  }
  const plan = () => {
    timer = setTimeout(() => {
      running = run()
    }, everyMs)
  }
  plan()
  return {
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
