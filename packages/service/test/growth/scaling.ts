/** What docs/scaling.md plans with: figures measured on two shared cores, and assumptions, which are marked there. */
export const FIGURES = {
  /** Measured, `npm run bench -- overload`, `results`, `deliveries` to 1,000 receivers, and `writing`, each alone. */
  perSecond: { creates: 781, results: 1_253, deliveries: 5_651, folding: 12_900 },
  /**
   * Measured: a simulated life makes eight changes after the order was placed. Each is reported, and sent to one callback. One process of a
   * database folds all nine.
   */
  perOrder: { creates: 1, results: 8, deliveries: 8, folding: 9 },
  /** Measured with an earlier build: half of the orders with their whole life, callbacks, events and all indexes included. */
  bytesPerOrder: 25_000,
  /** Assumed: busy hours against the mean of a day. */
  peak: 3,
  /** Assumed: days that orders stay online, and the disk of a cell that may be filled. */
  daysOnline: 90,
  usableBytes: 8e12 * 0.7,
}

const DAY = 86_400

export type Work = keyof typeof FIGURES.perSecond
export const WORK = Object.keys(FIGURES.perSecond) as Work[]

interface WorkDay {
  /** Share of the measured rate in the busiest minute. */
  use: number
  /** The most that waited, and for how many seconds the last of it did. */
  mostWaiting: number
  longestWait: number
}

type CellDay = Record<Work, WorkDay> & {
  /** Orders a second in the busiest minute. */
  peakOrders: number
}

/** Simulates a day of one of several cells, second by second: orders arrive, and each kind of work is done in turn. */
export function simulateDay(ordersPerDay: number, cells: number): CellDay {
  const mean = ordersPerDay / cells / DAY
  const peakOrders = mean * FIGURES.peak
  const days = WORK.map((work) => [work, simulateWork(mean * FIGURES.perOrder[work], FIGURES.perSecond[work])])
  return { peakOrders, ...(Object.fromEntries(days) as Record<Work, WorkDay>) }
}

function simulateWork(mean: number, perSecond: number): WorkDay {
  let [waiting, mostWaiting] = [0, 0]
  for (let second = 0; second < DAY; second++) {
    waiting = Math.max(0, waiting + mean * demandAt(second) - perSecond)
    mostWaiting = Math.max(mostWaiting, waiting)
  }
  return { use: (mean * FIGURES.peak) / perSecond, mostWaiting, longestWait: mostWaiting / perSecond }
}

/** Demand against the mean: four busy hours around noon have half of the orders of a day, at three times the mean. */
function demandAt(second: number): number {
  const [busyHours, hour] = [4, second / 3_600]
  const isBusy = Math.abs(hour - 12) < busyHours / 2
  return isBusy ? FIGURES.peak : (24 - busyHours * FIGURES.peak) / (24 - busyHours)
}

/** Cells that the disk asks for. */
export const cellsForDisk = (ordersPerDay: number) =>
  Math.ceil((ordersPerDay * FIGURES.bytesPerOrder * FIGURES.daysOnline) / FIGURES.usableBytes)

/** The fewest cells in which no work waits for more than a second, also in the busiest one. */
export function cellsForWork(ordersPerDay: number): number {
  const keepsUp = (cells: number, day = simulateDay(ordersPerDay, cells)) =>
    WORK.every((work) => day[work].longestWait <= 1)
  for (let cells = 1; ; cells++) if (keepsUp(cells)) return cells
}

/** The shares of all work together: at most 1 if the same two cores do all of it. */
export const totalUse = (day: CellDay) => WORK.reduce((sum, work) => sum + day[work].use, 0)

/** The fewest cells of two cores that do all work in the busiest minute. */
export const cellsForTwoCores = (ordersPerDay: number) => Math.ceil(totalUse(simulateDay(ordersPerDay, 1)))
