/** Excludes sentences from mutation: tests assert what is refused and where, not the wording. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'wording',
    value: { shouldIgnore: ({ node }) => (isSentence(textOf(node)) ? 'Wording is not tested.' : undefined) },
  },
]

const isSentence = (text) => /^["A-Z].* .*[.:]$/.test(text)

/** The text of a literal, with an ellipsis for each placeholder. */
function textOf(node) {
  if (node.type === 'StringLiteral') return node.value
  if (node.type !== 'TemplateLiteral') return ''
  return node.quasis.map(({ value }) => value.cooked).join('…')
}
