/** Objects and lists up to this length stay on one line. */
const LINE = 64

interface Notation {
  text: (value: string) => string
  name: (name: string) => string
  /** After the last member of an object that takes several lines. */
  last: string
}

const JSON_NOTATION: Notation = {
  text: (value) => JSON.stringify(value),
  name: (name) => JSON.stringify(name),
  last: '',
}

const quoted = (text: string) =>
  `'${text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)}'`

const TYPESCRIPT: Notation = {
  text: quoted,
  name: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  last: ',',
}

export const printJson = (value: unknown) => print(value, JSON_NOTATION)

export const printTypeScript = (value: unknown) => print(value, TYPESCRIPT)

function print(value: unknown, notation: Notation, indent = ''): string {
  if (typeof value === 'string') return notation.text(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, notation, inner))
    : Object.entries(value).map(([name, each]) => `${notation.name(name)}: ${print(each, notation, inner)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const space = Array.isArray(value) ? '' : ' '
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (indent.length + line.length <= LINE && !line.includes('\n')) return line
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}${notation.last}\n${indent}${close}`
}
