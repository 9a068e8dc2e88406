/** A composed page of the documentation. */
export interface Page {
  /** Under the root of the site, such as `reference/statuses.md`. */
  path: string
  title: string
  /** Begins with the title as a heading. */
  markdown: string
}
