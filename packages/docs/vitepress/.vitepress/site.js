import { searchRoles } from './search-roles.js'

/** The configuration of the site. The build writes its pages and calls this with their sidebar. */
export const siteConfig = (sidebar) => ({
  lang: 'en-US',
  title: 'Order Testing Service',
  titleTemplate: ':title · Order Testing Service',
  description: 'Guides and reference of the Order Testing Service: drug and alcohol test orders over HTTP.',
  base: '/docs/',
  cleanUrls: true,
  // Otherwise a style element is added at each change of colors, which the content security policy forbids.
  appearance: { disableTransition: false },
  // One file that all pages share, instead of an inline script in each.
  metaChunk: true,
  // A test follows every link of the built pages, those into pages that VitePress does not know included.
  ignoreDeadLinks: true,
  head: [
    ['link', { rel: 'icon', href: '/docs/favicon.svg', type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#0b5d5b' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    config: (markdown) => markdown.core.ruler.push('empty-headers', replaceEmptyHeaders),
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      { text: 'Guides', link: '/guides/first-order', activeMatch: '^/guides/' },
      { text: 'Reference', link: '/reference/errors', activeMatch: '^/reference/' },
      { text: 'API', link: '/api/', activeMatch: '^/(operator-)?api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    search: { provider: 'local', options: { detailedView: false, _render: renderForSearch } },
    notFound: {
      title: 'Page not found',
      quote: 'There is no such page here. Search for it, or start from the overview.',
      linkLabel: 'Go to the overview',
      linkText: 'Overview',
    },
  },
  // The outline of an API page names its operations, not the parts of each.
  transformPageData: (page) => {
    if (/api\/(?!index)/.test(page.relativePath)) page.frontmatter.outline = 2
  },
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 2000 }, plugins: [searchRoles()] },
})

/** The anchors of code hosts, so that links between guides work in both places. */
function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** The empty corner of a table is a cell, not a header without a name. */
function replaceEmptyHeaders({ tokens }) {
  for (const [i, { type, content }] of tokens.entries())
    if (type === 'inline' && content === '' && tokens[i - 1].type === 'th_open')
      for (const token of [tokens[i - 1], tokens[i + 1]]) token.tag = 'td'
}

/** Without samples and examples, which would triple the index: the text around them names what they show. */
function renderForSearch(source, environment, markdown) {
  const html = markdown.render(source.replaceAll(/^```[^]*?^```$/gm, ''), environment)
  return environment.frontmatter?.search === false ? '' : html
}
