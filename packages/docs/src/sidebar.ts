import type { Page } from './page.ts'

interface Group {
  text: string
  items: { text: string; link: string }[]
}

/** Guides in the order in which they are read; others follow by name. */
const GUIDES = [
  'first-order',
  'webhooks',
  'sync',
  'transport-agencies',
  'matching',
  'v1-to-v2',
  'sandbox',
  'going-live',
  'install',
  'production',
  'laboratories',
  'operating',
]

/** The navigation beside every page. Pages are linked in this order by "next" and "previous", too. */
export function sidebarOf(pages: Page[]): Group[] {
  const inFolder = (folder: string) =>
    pages
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .map(({ path, title }) => ({
        text: path.endsWith('/index.md') ? 'Overview' : title,
        link: `/${path.replace(/(index)?\.md$/, '')}`,
      }))
  const rank = (link: string) => GUIDES.indexOf(link.replace('/guides/', '')) + 1 || GUIDES.length + 1
  return [
    {
      text: 'Guides',
      items: inFolder('guides').toSorted((a, b) => rank(a.link) - rank(b.link) || (a.link < b.link ? -1 : 1)),
    },
    { text: 'Reference', items: inFolder('reference') },
    { text: 'API', items: inFolder('api') },
    { text: 'API for operators', items: inFolder('operator-api') },
    { text: 'Changes', items: [{ text: 'Changelog', link: '/changelog' }] },
  ].filter(({ items }) => items.length > 0)
}
