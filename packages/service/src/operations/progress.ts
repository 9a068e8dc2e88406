/** How far long work is. */
export interface Progress {
  /** What is counted, such as "orders". */
  kind: string
  done: number
  /** If it is known. */
  total?: number | undefined
}

/** Called after each batch. */
export type OnProgress = (progress: Progress) => void
