/** Where in a table a pass has come to: the key of the last row it has seen. */
export type Place = readonly string[]

export interface Pass {
  /** Looks only at rows in which an earlier build has kept plain text. */
  onlyPlain?: boolean
  /** Goes on with the next row where one cannot be opened. */
  isTolerant?: boolean
}

export interface Batch {
  renewed: number
  /** Rows that could not be opened. */
  failed: number
  /** Where to go on; absent when all rows were seen. */
  next: Place | undefined
}

/** How the rows of a table are brought under the current key. */
interface SealedTable<Row> {
  /** Rows read in one go. */
  atOnce: number
  /** The next rows behind a place; on request only those in which an earlier build has kept plain text. */
  read: (place: Place, onlyPlain: boolean) => Promise<Row[]>
  /** Writes a row anew, unless it is under the current key; the number of rows written. */
  renew: (row: Row) => Promise<number> | number
  placeOf: (row: Row) => Place
}

/** Renews the next rows behind a place. */
export type RenewBatch = (place: Place, pass?: Pass) => Promise<Batch>

export const inBatches =
  <Row>({ atOnce, read, renew, placeOf }: SealedTable<Row>): RenewBatch =>
  async (place, { onlyPlain = false, isTolerant = false } = {}) => {
    const rows = await read(place, onlyPlain)
    const outcomes = await Promise.allSettled(rows.map(async (row) => renew(row)))
    const failures = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    if (failures[0] && !isTolerant) throw failures[0].reason
    const renewed = outcomes.reduce((sum, outcome) => sum + (outcome.status === 'fulfilled' ? outcome.value : 0), 0)
    const last = rows.at(-1)
    return { renewed, failed: failures.length, next: last && rows.length === atOnce ? placeOf(last) : undefined }
  }
