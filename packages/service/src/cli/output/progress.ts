import type { OnProgress, Progress } from '../../operations/progress.ts'
import { dim, fitColors, type Output } from './colors.ts'
import { mode } from './mode.ts'

/** How often the line of a terminal changes, and how often a log without a terminal gets a line. */
const REDRAW_MS = 100
const LOG_MS = 10_000

/** The terminal that shows a line of progress. */
let shownOn: Stream | undefined

/** Removes the line of progress before something else is written. */
export function clearProgress(): void {
  shownOn?.write('\r\u001B[K')
  shownOn = undefined
}

export interface Reporter {
  update: OnProgress
  /** Says what the command waits for. */
  wait: (text: string) => void
  end: () => void
}

type Stream = Pick<Output, 'isTTY' | 'columns'> & { write(text: string): unknown }

interface Surroundings {
  stream?: Stream
  now?: () => number
}

const SILENT: Reporter = { update: () => {}, wait: () => {}, end: () => {} }

/** Reports on stderr how far the work is: as one line that changes in a terminal, otherwise as a line every ten seconds. */
export function reportProgress(
  verb: string,
  { stream = process.stderr, now = () => performance.now() }: Surroundings = {},
): Reporter {
  if (mode.json || mode.quiet) return SILENT
  const isLive = stream.isTTY && process.env['TERM'] !== 'dumb'
  const every = isLive ? REDRAW_MS : LOG_MS
  const rate = rateOf(now)
  // A terminal shows the first step at once.
  let next = isLive ? 0 : now() + LOG_MS
  const draw = (text: string) => (isLive ? drawLine(text, stream) : stream.write(`${text}\n`))
  return {
    update(progress) {
      const perSecond = rate(progress)
      if (now() < next) return
      next = now() + every
      draw(progressText(verb, progress, perSecond))
    },
    wait: (text) => void (isLive && drawLine(text, stream)),
    end: clearProgress,
  }
}

/** Runs the work with a reporter, and clears its line. */
export async function withProgress<T>(verb: string, work: (reporter: Reporter) => Promise<T>): Promise<T> {
  const reporter = reportProgress(verb)
  try {
    return await work(reporter)
  } finally {
    reporter.end()
  }
}

/** Such as "Resealing orders: 1,200 of 5,000 (24 %), 340/s". */
export function progressText(verb: string, { kind, done, total }: Progress, perSecond: number): string {
  const share = total === undefined ? '' : ` of ${number(total)} (${percent(done, total)} %)`
  const speed = perSecond >= 1 ? `, ${number(Math.round(perSecond))}/s` : ''
  return `${verb} ${kind}: ${number(done)}${share}${speed}`
}

/** The speed of each kind since its first report. */
function rateOf(now: () => number): (progress: Progress) => number {
  let [kind, since, from] = ['', 0, 0]
  return (progress) => {
    if (progress.kind !== kind) [kind, since, from] = [progress.kind, now(), progress.done]
    const seconds = (now() - since) / 1000
    return seconds > 0 ? (progress.done - from) / seconds : 0
  }
}

function drawLine(text: string, stream: Stream): void {
  const width = stream.columns || 80
  const line = text.length < width ? text : `${text.slice(0, width - 2)}…`
  shownOn = stream
  stream.write(`\r${fitColors(dim(line), stream)}\u001B[K`)
}

const number = (count: number) => count.toLocaleString('en')

const percent = (done: number, total: number) => (total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100)))
