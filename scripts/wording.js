/** Leaves sentences out: tests hold what is refused and where, not the words that explain it. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'wording',
    value: { shouldIgnore: ({ node }) => (isSentence(textOf(node)) ? 'Wording is not tested.' : undefined) },
  },
]

const isSentence = (text) => /^["A-Z].* .*[.:]$/.test(text)

/** A literal as it is read, with an ellipsis for what is filled in. */
function textOf(node) {
  if (node.type === 'StringLiteral') return node.value
  if (node.type !== 'TemplateLiteral') return ''
  return node.quasis.map(({ value }) => value.cooked).join('…')
}
