import { withBase } from 'vitepress'

/** The address that all samples are written with. */
const ADDRESS = 'http://127.0.0.1:3000'

/** The demo tokens of a sandbox. A service without them, such as one in production, has none to give. */
const tokens = import.meta.env.SSR
  ? Promise.resolve({})
  : fetch(withBase('/tokens.json'))
      .then((response) => (response.ok ? response.json() : {}))
      .catch(() => ({}))

/** Fills the address of this service and its demo tokens into the samples of a page, so that they can be copied and run. */
export async function fillSamples(page) {
  const { integrator, operator } = await tokens
  for (const code of page.querySelectorAll('div[class*="language-"] code')) {
    replaceText(code, new RegExp(ADDRESS, 'g'), location.origin)
    fillToken(code, 'OTS_TOKEN', integrator)
    fillToken(code, 'OTS_OPERATOR_TOKEN', operator)
  }
  for (const link of page.querySelectorAll(`.vp-doc a[href^="${ADDRESS}/"]`)) {
    link.href = link.href.replace(ADDRESS, location.origin)
    replaceText(link, new RegExp(ADDRESS, 'g'), location.origin)
  }
}

function fillToken(code, name, token) {
  if (token === undefined) return
  replaceText(code, new RegExp(`\\$${name}\\b|\\$\\{${name}\\}`, 'g'), token)
  replaceText(code, new RegExp(`process\\.env\\.${name}!?`, 'g'), `'${token}'`)
}

/** Replaces text that may span several elements, as highlighting splits it. From the end, so that earlier positions stay right. */
function replaceText(element, pattern, value) {
  const matches = [...element.textContent.matchAll(pattern)].filter(([found]) => found !== value)
  for (const { 0: found, index } of matches.toReversed()) {
    const start = positionOf(element, index)
    const end = positionOf(element, index + found.length - 1)
    const range = document.createRange()
    range.setStart(start.node, start.offset)
    range.setEnd(end.node, end.offset + 1)
    range.deleteContents()
    start.node.insertData(start.offset, value)
  }
}

/** The text node that has the character at an index. */
function positionOf(element, index) {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let offset = index
  while (walker.nextNode()) {
    if (offset < walker.currentNode.length) return { node: walker.currentNode, offset }
    offset -= walker.currentNode.length
  }
  throw new RangeError('No such character.')
}
