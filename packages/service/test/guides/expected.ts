/** Values that differ from run to run. Those with an identity must be the same value wherever the guide shows the same one. */
const VARYING = [
  { pattern: /\b[a-z]{3}_[0-9a-z]{26}(?:_\d+)?\b/, isIdentity: true },
  { pattern: /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/, isIdentity: true },
  { pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/, isIdentity: false },
  { pattern: /…/, isIdentity: false },
]
const ANY = new RegExp(VARYING.map(({ pattern }) => `(${pattern.source})`).join('|'), 'g')

/** Compares what a guide shows with what it prints. One per run, because it remembers which id stands for which. */
export class Expectations {
  readonly #actual = new Map<string, string>()

  /** Why the output is not the one shown; undefined if it is. JSON may be shortened. */
  mismatch(shown: string, printed: string, language: string): string | undefined {
    const fault =
      language === 'json'
        ? this.#compare(JSON.parse(shown), parse(printed), '')
        : this.#isText(shown.trimEnd(), printed.trimEnd())
          ? undefined
          : 'The text differs.'
    return fault && `${fault}\nShown:\n${shown}\nPrinted:\n${printed}`
  }

  /** Whether lines are those shown, each of which may be printed several times in a row. */
  isLines(shown: string[], printed: string): boolean {
    const lines = shown.map((line) => `(?:${sourceOf(line)}\n)+`)
    return this.#hasSame(shown.join('\n'), new RegExp(`^${lines.join('')}$`).exec(printed))
  }

  #isText(shown: string, printed: string): boolean {
    return this.#hasSame(shown, new RegExp(`^${sourceOf(shown)}$`).exec(printed))
  }

  /** Whether the text was found, with the same identities as before. */
  #hasSame(shown: string, found: RegExpExecArray | null): boolean {
    if (!found) return false
    return [...shown.matchAll(ANY)].every((each, i) => {
      if (!kindOf(each).isIdentity) return true
      const [text, actual] = [each[0], found[i + 1]!]
      const known = this.#actual.get(text) ?? actual
      this.#actual.set(text, known)
      return known === actual
    })
  }

  /** Members that are not shown may be there. A list that ends with "…" may have more items. */
  #compare(shown: unknown, actual: unknown, path: string): string | undefined {
    const differs = `${path || '/'} is ${JSON.stringify(actual)}, shown as ${JSON.stringify(shown)}.`
    if (typeof shown === 'string')
      return typeof actual === 'string' && this.#isText(shown, actual) ? undefined : differs
    if (typeof shown !== 'object' || shown === null) return Object.is(shown, actual) ? undefined : differs
    if (typeof actual !== 'object' || actual === null || Array.isArray(shown) !== Array.isArray(actual)) return differs
    const isOpen = !Array.isArray(shown) || shown.at(-1) === '…'
    const items = Array.isArray(shown) && isOpen ? shown.slice(0, -1) : shown
    if (!isOpen && (shown as unknown[]).length !== (actual as unknown[]).length) return differs
    for (const [name, value] of Object.entries(items)) {
      const fault = this.#compare(value, (actual as Record<string, unknown>)[name], `${path}/${name}`)
      if (fault) return fault
    }
    return undefined
  }
}

function parse(printed: string): unknown {
  try {
    return JSON.parse(printed)
  } catch {
    return undefined
  }
}

/** The pattern of a text, with a group for each value that varies. */
function sourceOf(shown: string): string {
  let [source, end] = ['', 0]
  for (const found of shown.matchAll(ANY)) {
    const { source: kind } = kindOf(found).pattern
    source += `${escape(shown.slice(end, found.index))}(${kind === '…' ? '.*?' : prefixOf(found[0]) + kind})`
    end = found.index + found[0].length
  }
  return source + escape(shown.slice(end))
}

const kindOf = ([, ...kinds]: RegExpExecArray) => VARYING[kinds.findIndex((kind) => kind !== undefined)]!

/** An id stands for an id of the same kind. */
const prefixOf = (text: string) => (/^[a-z]{3}_/.test(text) ? `(?=${text.slice(0, 4)})` : '')

const escape = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
