import type { Guide } from './blocks.ts'

/** Pages of the reference, which the documentation site adds to the guides. */
const REFERENCE = /^\.\.\/reference\/(errors|statuses|matching|deliveries|signatures|limits)\.md$/

const OUTSIDE = /^https:\/\/(www\.ecfr\.gov\/current\/title-|www\.standardwebhooks\.com|jqlang\.org)/

export const linksOf = ({ text }: Guide) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!)

export function leadsSomewhere(link: string, guide: Guide, guides: Guide[]): boolean {
  const [path = '', anchor] = link.split('#')
  if (OUTSIDE.test(link) || REFERENCE.test(path)) return true
  const target = path === '' ? guide : guides.find(({ name }) => path === `${name}.md`)
  return target !== undefined && (anchor === undefined || anchorsOf(target).includes(anchor))
}

/** The anchors that the site and code hosts make alike. The site puts an underscore before those that begin with a digit. */
const anchorsOf = ({ text }: Guide) =>
  [...text.matchAll(/^#+ (\D.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )
