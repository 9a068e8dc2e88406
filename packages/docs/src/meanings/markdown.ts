import type { Page } from '../page.ts'

/** A page of the reference: its title, then the parts with a blank line between them. */
export function referencePage(name: string, title: string, parts: readonly string[]): Page {
  return { path: `reference/${name}.md`, title, markdown: `${[`# ${title}`, ...parts].join('\n\n')}\n` }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`
  return [line(head), line(head.map(() => '-')), ...rows.map((row) => line(row))].join('\n')
}

export const bullets = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n')

export const numbered = (items: readonly string[]) => items.map((item, i) => `${i + 1}. ${item}`).join('\n')

export const code = (text: string | number) => `\`${text}\``

/** Codes as a list in a sentence. */
export const codes = (texts: readonly (string | number)[]) => texts.map((text) => code(text)).join(', ')

export const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\``

export const json = (value: unknown) => fenced('json', JSON.stringify(value, null, 2))

/** A code in a table that links can lead to. */
export const anchored = (id: string, text: string) => `<a id="${id}"></a>${code(text)}`

/** `a, b or c`. */
export function either(items: readonly string[], conjunction = 'or'): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

export const number = (value: number) => value.toLocaleString('en')

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** `57 minutes 35 seconds`, `75 hours 57 minutes`; days only for more than one whole day. */
export function duration(seconds: number): string {
  if (seconds === 0) return '0 seconds'
  const parts: string[] = []
  let rest = seconds
  for (const [unit, length] of UNITS) {
    if (unit === 'day' && (seconds % length !== 0 || seconds <= length)) continue
    const count = unit === 'second' ? rest : Math.floor(rest / length)
    if (count > 0) parts.push(`${number(count)} ${unit}${count === 1 ? '' : 's'}`)
    rest -= count * length
  }
  return parts.join(' ')
}

export function size(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${number(bytes)} bytes`
}
