/** The files by name, as they should be. */
export function generate(): Record<string, string>
