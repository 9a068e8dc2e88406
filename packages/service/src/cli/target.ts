import { mode } from './output/mode.ts'
import { writeError } from './output/print.ts'

let database: string | undefined

/** Each command begins with it, because several may run in one process. */
export function resetTarget(): void {
  database = undefined
}

/** Notes the database that the command works on, for --verbose and for the message of a command that fails. */
export function noteDatabase(place: string): void {
  if (place === database) return
  database = place
  tell('database', place)
}

/** Notes the service that the command calls. */
export const noteService = (url: string): void => tell('service', url)

/** The database of a command that fails. */
export const usedDatabase = () => database

function tell(kind: 'database' | 'service', place: string): void {
  if (!mode.verbose) return
  writeError(
    mode.json ? JSON.stringify({ [kind]: place }) : `${kind === 'database' ? 'Database' : 'Service'}: ${place}`,
  )
}
