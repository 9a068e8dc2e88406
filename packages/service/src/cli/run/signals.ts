/** A second signal this soon is the same Ctrl-C, passed on by a parent such as npm. */
const SAME_SIGNAL_MS = 1_000

const PARENT_CHECK_MS = 250

/** Asked for at once: a parent that ends while we start is to be noticed too. */
const PARENT = process.ppid

/** Resolves with the reason to stop: a signal, the end of something we depend on, or of the npm that started us. */
export function untilStopped(failure: Promise<string> | undefined): Promise<string> {
  return new Promise((resolve) => {
    let stoppingSince: number | undefined
    const onSignal = (signal: NodeJS.Signals) => {
      if (stoppingSince !== undefined && performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      stoppingSince ??= performance.now()
      resolve(signal)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    void failure?.then((reason) => {
      process.exitCode = 1
      resolve(reason)
    })
    if (process.env['npm_lifecycle_event'] !== undefined) watchParent(() => resolve('npm has ended'))
  })
}

/** npm that is killed cannot pass the signal on; nobody would expect the service to live on without it. */
function watchParent(onEnd: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return
    clearInterval(timer)
    onEnd()
  }, PARENT_CHECK_MS).unref()
}
