import { html } from './html.ts'
import { textsIn } from './texts.ts'
import type { Frame } from './views.ts'

/** The page of a participant as an operator sees it: says first that nothing can be done there. */
export function withOperatorBanner({ language }: Frame, page: string): string {
  const { title, text } = textsIn(language).operatorView
  const banner = html`<p role="note" class="in"><strong>${title}</strong> ${text}</p>`
  return page.replace('<body>', () => `<body>${banner.toString()}`)
}
