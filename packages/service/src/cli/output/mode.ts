/** How the running command prints, as its global options say. */
export const mode = { json: false, quiet: false, color: true, verbose: false }

/** Each command begins with it, because several may run in one process. */
export function setMode(given: Partial<typeof mode>): void {
  Object.assign(mode, { json: false, quiet: false, color: true, verbose: false }, given)
}
