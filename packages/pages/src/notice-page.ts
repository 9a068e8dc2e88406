import { html } from './html.ts'
import { page } from './layout.ts'
import { textsIn } from './texts.ts'
import type { Frame, Notice, Reader } from './views.ts'

/** A short notice when there is nothing to do or see. It reveals nothing about any order. */
export function noticePage(frame: Frame, notice: Notice, reader?: Reader): string {
  const [title, text] = textsIn(frame.language, reader).notices[notice]
  return page(frame, {
    title,
    body: html`<h1>${title}</h1>
      <p class="card">${text}</p>`,
  })
}
