/** Trusted markup, which is not escaped again. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

export type Part = Html | string | number | boolean | null | undefined | readonly Part[]

/** A template tag for markup: escapes everything that is not `Html`, and leaves out null, undefined and booleans. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const texts = textsOf(strings)
  let markup = texts[0]!
  for (const [i, part] of parts.entries()) markup += render(part) + texts[i + 1]!
  return new Html(markup)
}

/** Marks text as markup that needs no escaping, such as style sheets and SVG paths. */
export const trusted = (text: string) => new Html(text)

/** The texts of a template without their indentation. A template is always given as the same object. */
function textsOf(strings: TemplateStringsArray): readonly string[] {
  const known = templates.get(strings)
  if (known) return known
  const texts = strings.map(collapseIndent)
  templates.set(strings, texts)
  return texts
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>()

const collapseIndent = (text: string) => text.replaceAll(/\s*\n\s*/g, '\n')

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map((each: Part) => render(each)).join('\n')
  if (part === null || part === undefined || typeof part === 'boolean') return ''
  return escapeHtml(String(part))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Escapes text for content and quoted attributes. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)
