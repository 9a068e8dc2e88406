/** What docs/scaling.md plans with: figures measured on two shared cores, and assumptions, which are marked there. */
export const FIGURES = {
  /** Measured: `npm run bench overload`. */
  createsPerSecond: 1_370,
  /** Measured: folding 157,000 changes, 5,000 at a time. One process of a database folds at a time. */
  foldsPerSecond: 7_800,
  /** Measured: a simulated life makes eight events; placing an order is a change, too. */
  changesPerOrder: 9,
  /** Measured: half of the orders with their whole life, all indexes included. */
  bytesPerOrder: 25_000,
  /** Assumed: busy hours against the mean of a day. */
  peak: 3,
  /** Assumed: days that orders stay online, and the disk of a cell that may be filled. */
  daysOnline: 90,
  usableBytes: 8e12 * 0.7,
}

const DAY = 86_400

export interface CellDay {
  /** Orders a second in the busiest minute. */
  peakOrders: number
  /** The most changes that waited to be folded, and for how many seconds the last of them waited. */
  mostWaiting: number
  longestWait: number
  /** Use of the measured rate of creates in the busiest minute. */
  createUse: number
}

/** Simulates a day of one of several cells, second by second: orders arrive, and their changes are folded in turn. */
export function simulateDay(ordersPerDay: number, cells: number): CellDay {
  const mean = ordersPerDay / cells / DAY
  let [waiting, mostWaiting, peakOrders] = [0, 0, 0]
  for (let second = 0; second < DAY; second++) {
    const orders = mean * demandAt(second)
    peakOrders = Math.max(peakOrders, orders)
    waiting = Math.max(0, waiting + orders * FIGURES.changesPerOrder - FIGURES.foldsPerSecond)
    mostWaiting = Math.max(mostWaiting, waiting)
  }
  return {
    peakOrders,
    mostWaiting,
    longestWait: mostWaiting / FIGURES.foldsPerSecond,
    createUse: peakOrders / FIGURES.createsPerSecond,
  }
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

/** The fewest cells that fold every change within a second, also in the busiest one. */
export function cellsForWork(ordersPerDay: number): number {
  for (let cells = 1; ; cells++) {
    const { longestWait, createUse } = simulateDay(ordersPerDay, cells)
    if (longestWait <= 1 && createUse <= 1) return cells
  }
}
