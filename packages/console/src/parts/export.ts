/** Rows of one answer. */
const EXPORTED = 500

/** Reads up to so many rows as CSV, older than the one with this id. */
export type ReadPart = (part: { limit: number; before?: string }) => Promise<string>

/** The CSV of a whole filter, read in parts, newest first; undefined if it was stopped. */
export async function exportAll(
  readPart: ReadPart,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (read: number) => void },
): Promise<Blob | undefined> {
  const parts: string[] = ['\uFEFF']
  let before: string | undefined
  for (let read = 0; !signal.aborted;) {
    const text = await readPart({ limit: EXPORTED, ...(before !== undefined && { before }) })
    const ids = idsIn(text)
    parts.push(before === undefined ? text : text.slice(text.indexOf('\n') + 1))
    onProgress((read += ids.length))
    if (ids.length < EXPORTED) return new Blob(parts, { type: 'text/csv;charset=utf-8' })
    before = ids.at(-1)
  }
  return undefined
}

/** Each row begins with its id, at the start of a line. Quoted cells may have lines of their own. */
export const idsIn = (csv: string): string[] =>
  [...csv.replaceAll(/"(?:[^"]|"")*"/g, '').matchAll(/^([a-z]{3}_\w+),/gm)].map(([, id]) => id!)
