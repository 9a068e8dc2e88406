let isVerbose = false
let database: string | undefined

/** Each command begins with it, because several may run in one process. */
export function resetTarget(): void {
  isVerbose = false
  database = undefined
}

export function setVerbose(): void {
  isVerbose = true
}

/** Notes the database that the command works on, for --verbose and for the message of a command that fails. */
export function noteDatabase(place: string): void {
  if (place === database) return
  database = place
  if (isVerbose) process.stderr.write(`Database: ${place}\n`)
}

/** Notes the service that the command calls. */
export function noteService(url: string): void {
  if (isVerbose) process.stderr.write(`Service: ${url}\n`)
}

/** The line below the message of a command that fails; empty if --verbose has printed it. */
export const failureContext = (): string => (database === undefined || isVerbose ? '' : `Database: ${database}\n`)
