import { html, trusted, type Html } from './html.ts'
import { icon } from './icons.ts'
import { formatPhone, properName, sentenceWith } from './names.ts'
import { LIGHT } from './style/tokens.ts'
import { adjustAccent } from './style/accent.ts'
import { textsIn } from './texts.ts'
import type { Brand, Contact, Language } from './views.ts'

/** The logo, or else the first letter of the company. */
export function tile(brand: Brand | null): Html {
  if (!brand) return html`<span class="tile">${icon('shield')}</span>`
  if (brand.logo) return html`<span class="tile"><img src="${brand.logo}" alt="" width="40" height="40" /></span>`
  return html`<span class="tile" aria-hidden="true">${initialOf(brand.company)}</span>`
}

/** Who asks: the first thing on every page. */
export function whoAsks(brand: Brand | null, language: Language, { isAlone = false } = {}): Html {
  const texts = textsIn(language)
  if (!brand)
    return html`${tile(null)}
      <p class="who"><b>${texts.workplaceTesting}</b></p>`
  return html`${tile(brand)}
    <p class="who">
      <b>${properName(brand.company, language)}</b>
      ${isAlone || brand.tenant === brand.company ? '' : html`<span>${texts.withTenant} ${properName(brand.tenant, language)}</span>`}
    </p>`
}

interface Foot {
  code?: string | undefined
  /** Whether to say whom to ask. */
  asks?: boolean | undefined
}

/** Whom to call: the last thing on every page. */
export function footer(brand: Brand | null, language: Language, { code, asks = true }: Foot): Html | null {
  const texts = textsIn(language)
  if (!brand) return null
  const order = code === undefined ? null : html`<span>${texts.order} ${code}</span>`
  const privacy = brand.privacyUrl && html`<a href="${brand.privacyUrl}">${texts.privacy}</a>`
  if (!asks && !privacy) return null
  return html`<footer class="foot screen">
    <div class="in">
      ${
        asks
          ? html`<div class="ask">
              ${icon('question')}
              <div><b>${texts.questions}</b>${contacts(brand, language)}</div>
            </div>`
          : ''
      }
      ${order || privacy ? html`<div class="small">${order} ${privacy}</div>` : ''}
    </div>
  </footer>`
}

/** The people to ask with their phone and e-mail address, or at least their name. */
function contacts({ contacts: known, company }: Brand, language: Language): Html[] {
  if (known.length === 0) return [html`<span>${sentenceWith([company], language, textsIn(language).askCompany)}</span>`]
  return known.map(
    (contact) =>
      html`<span>${properName(contact.name, language)} ${phoneLink(contact)}</span>
        ${contact.email === null ? '' : html`<span>${emailLink(contact.email)}</span>`}`,
  )
}

export function phoneLink({ phone }: Pick<Contact, 'phone'>): Html | null {
  if (phone === null) return null
  return html`<a class="call" href="tel:${phone.replaceAll(/[^\d+*#,;]/g, '')}">${formatPhone(phone)}</a>`
}

export const emailLink = (email: string): Html => html`<a class="call" href="mailto:${email}">${email}</a>`

/** A square in the accent with the initial, as browsers show it beside the title. */
export function favicon(brand: Brand | null): Html {
  const { light } = adjustAccent(brand?.accent ?? LIGHT.accent)
  const letter = brand ? initialOf(brand.company) : ''
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
    <rect width="32" height="32" rx="8" fill="${light.accent}" />
    <text
      x="16"
      y="23"
      text-anchor="middle"
      font-family="system-ui,sans-serif"
      font-weight="700"
      font-size="20"
      fill="#fff"
    >
      ${letter}
    </text>
  </svg>`
  return trusted(`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(svg.text).replaceAll("'", '%27')}">`)
}

const initialOf = (name: string) => (/[\p{L}\p{N}]/u.exec(name)?.[0] ?? '').toUpperCase()
