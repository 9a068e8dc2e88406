import { html, type Html } from './html.ts'
import { ENGLISH, type Language } from './languages/index.ts'

/** Names of companies, clinics and tests stay English, and screen readers should say them so. */
export const properName = (name: string, language: Language): Html | string =>
  language === ENGLISH ? name : html`<span lang="${ENGLISH}">${name}</span>`

/** Formats North American numbers; others stay as they are. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  return line === undefined ? phone : `(${area}) ${exchange}-${line}`
}
