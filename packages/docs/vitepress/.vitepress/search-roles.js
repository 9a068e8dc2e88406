/**
 * Corrects the roles in the search of VitePress 1.6.4, where a button contains the whole dialog and options contain links:
 * a dialog with a combobox whose options are the links. Fails if the theme has changed.
 */
export const searchRoles = () => ({
  name: 'search-roles',
  enforce: 'pre',
  transform(code, id) {
    const file = Object.keys(CORRECTIONS).find((name) => id.endsWith(`/${name}`))
    if (file === undefined) return undefined
    return CORRECTIONS[file].reduce((text, [before, after]) => {
      if (!before.test(text)) throw new Error(`${file} of VitePress has no ${before}: check its roles again.`)
      return text.replace(before, after)
    }, code)
  },
})

const CORRECTIONS = {
  // The name of the button is "Search": the key beside it is drawn by the style.
  'VPNavBarSearchButton.vue': [
    [/<kbd class="DocSearch-Button-Key">K</, '<kbd class="DocSearch-Button-Key search-key"><'],
  ],
  'VPLocalSearchBox.vue': [
    [
      /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
      'role="dialog" aria-modal="true"',
    ],
    [
      /aria-autocomplete="both"/,
      `role="combobox" :aria-expanded="results?.length ? 'true' : 'false'" aria-autocomplete="list"`,
    ],
    [/:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/, 'role="presentation"'],
    [
      /:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/,
      `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
    ],
    [/<span class="title-icon">/, '<span class="title-icon" aria-hidden="true">'],
  ],
}
