/** Markdown of one line as HTML: code, bold text and links. */
export const inlineHtml = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? codeHtml(part.slice(1, -1))
        : escapeHtml(part).replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>'),
    )
    .join('')
    .replaceAll('\n', ' ')

export const codeHtml = (text: string) => `<code>${escapeHtml(text)}</code>`

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text of the contract as Markdown of a page: outside of code, nothing is taken for HTML, a template or attributes. */
export const pageText = (text: string): string =>
  text
    .split(/(```[^]*?```|`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{', '&#123;').replaceAll('}', '&#125;'),
    )
    .join('')
