const KEY = 'ots-docs-language'

/** Shows all samples of a page in the language chosen last, and follows a new choice. */
export function keepLanguage(page) {
  show(page, localStorage.getItem(KEY))
  for (const tabs of page.querySelectorAll('.vp-code-group .tabs')) tabs.addEventListener('change', choose)
}

function choose({ target }) {
  const title = target.labels?.[0]?.textContent
  const before = target.getBoundingClientRect().top
  localStorage.setItem(KEY, title)
  show(document, title)
  // Samples above have other heights now: the chosen one stays where it was.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
}

function show(page, title) {
  for (const group of page.querySelectorAll('.vp-code-group')) {
    const labels = [...group.querySelectorAll('.tabs label')]
    const chosen = labels.findIndex((label) => label.textContent === title)
    if (chosen === -1) continue
    group.querySelectorAll('.tabs input')[chosen].checked = true
    for (const [i, block] of [...group.querySelector('.blocks').children].entries())
      block.classList.toggle('active', i === chosen)
  }
}
