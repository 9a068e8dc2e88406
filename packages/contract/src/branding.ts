import { z } from 'zod'
import { showAs, text } from './primitives.ts'

export const LANGUAGE_CODE = /^[a-z]{2}$/

/** Base64 of a logo of 48 KiB. */
const LARGEST_LOGO = 65_536

/** How pages and notifications present a tenant or a company. */
export const Branding = z
  .strictObject({
    logo: z
      .string()
      .max(LARGEST_LOGO)
      .regex(
        /^(?:data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}|https:\/\/[^\s"'<>\\;,]+)$/,
        'Expected a data URL of a PNG, JPEG, WebP or SVG image in Base64, or an https URL.',
      )
      .optional()
      .describe('A square image. With a data URL, pages load nothing from other servers.'),
    accent: z
      .string()
      .regex(/^#[0-9A-Fa-f]{6}$/, 'Expected a color such as #0B5D5B.')
      .optional()
      .describe('The color of buttons and links. Pages adjust it until text on it is legible.'),
    privacyUrl: httpsUrl().optional().describe('The privacy notice that pages link to.'),
    helpPhone: text(1, 50).optional().describe('Whom to call with questions.'),
    helpEmail: z.email().max(320).optional(),
    helpAnswerTime: text(1, 100).optional().describe('How soon questions are answered, such as "4 business hours".'),
  })
  .meta({ id: 'Branding' })

export type Branding = z.infer<typeof Branding>

/** A text that people agree to. Answers are kept with its version. */
const versionedText = z
  .object({ version: text(1, 64), en: text(1, 20_000), es: text(1, 20_000).optional() })
  .catchall(text(1, 20_000))
  .check(({ value, issues }) => {
    const keys = Object.keys(value).filter((key) => key !== 'version' && !LANGUAGE_CODE.test(key))
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: value, message: 'version en es' })
  })
  .meta({
    id: 'VersionedText',
    description: 'Beside English, in any language by its two-letter code.',
    override: showAs((schema) => ({ ...schema, propertyNames: { pattern: '^(?:version|[a-z]{2})$' } })),
  })

/** The texts of a tenant that take the place of the built-in ones. */
export const CatalogTexts = z
  .strictObject({
    consent: versionedText.optional().describe('For drug and alcohol tests that are not federally regulated.'),
    backgroundDisclosure: versionedText.optional().describe('Shown on a page of its own (15 USC 1681b(b)(2)).'),
    backgroundAuthorization: versionedText.optional().describe('Signed with the typed name.'),
  })
  .meta({ id: 'CatalogTexts' })

export type CatalogTexts = z.infer<typeof CatalogTexts>
export type VersionedText = z.infer<typeof versionedText>

function httpsUrl() {
  return z.url({ protocol: /^https$/, error: 'Expected an https URL.' }).max(2_048)
}
