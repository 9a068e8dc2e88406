import { createHash } from 'node:crypto'
import { accentStyle, PAGE_STYLES, SHOW_SCRIPT, type Brand } from '@order-testing/pages'

const hashOf = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`

const STYLE_HASHES = PAGE_STYLES.map(hashOf).join(' ')

/** Allows our style sheets, font and the script that shows a masked field, the company's accent and logo, and forms to the same origin; nothing else. */
export function policyFor(brand: Brand | null): string {
  const accent = accentStyle(brand?.accent ?? null)
  const logo = brand?.logo?.startsWith('https:') ? ` ${new URL(brand.logo).origin}` : ''
  return [
    "default-src 'none'",
    `style-src ${STYLE_HASHES}${accent === null ? '' : ` ${hashOf(accent)}`}`,
    `script-src ${hashOf(SHOW_SCRIPT)}`,
    "font-src 'self'",
    `img-src data:${logo}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}

export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': policyFor(null),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept-language, accept-encoding',
}

/** Browsers render a PDF with their own styles, which the policy of pages would block. */
export const PDF_POLICY = "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

/** The address of the font changes with its content. */
export const FONT_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-type': 'font/woff2',
  'cross-origin-resource-policy': 'same-origin',
}
