/** Does something again and again, never twice at once, until stopped; `stop` waits for what is under way. */
export function repeat(work: () => Promise<void>, everyMs: number, onFailure: (error: unknown) => void) {
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const plan = () => {
    timer = setTimeout(() => {
      running = work()
        .catch(onFailure)
        .finally(() => {
          if (!stopped) plan()
        })
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
