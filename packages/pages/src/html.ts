/** Markup that was made here, and so is sent as it is. */
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

/** Puts markup together. Whatever is not markup already is escaped; what is nothing, or false, is left out. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.map((text, i) => squeezed(text) + rendered(parts[i])).join(''))
}

/** For text that stands for itself wherever it is put: style sheets and finished drawings. */
export const trusted = (text: string) => new Html(text)

/** How the source is indented need not be sent. */
const squeezed = (text: string) => text.replaceAll(/\s*\n\s*/g, '\n')

function rendered(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map((each: Part) => rendered(each)).join('\n')
  if (part === null || part === undefined || typeof part === 'boolean') return ''
  return escaped(String(part))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Text as it stands between tags and in quoted attributes. */
export const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!)

/** Texts, one below the other. */
export const bullets = (texts: readonly string[]): Html =>
  html`<ul>
    ${texts.map((text) => html`<li>${text}</li>`)}
  </ul>`
