/** The first letters of the first and last name. */
export function initialsOf(name: string): string {
  const names = name.trim().split(/\s+/)
  return [names[0], names.length > 1 ? names.at(-1) : '']
    .map((each) =>
      Array.from(each ?? '')
        .slice(0, 1)
        .join('')
        .toUpperCase(),
    )
    .join('')
}
