import { z } from 'zod'
import { text } from './primitives.ts'

export const Address = z
  .object({
    city: z.string(),
    country: z.string().describe('ISO 3166 alpha-2 code.'),
    line1: z.string(),
    line2: z.string().describe('Empty if there is none.'),
    object: z.literal('address'),
    postalCode: z.string(),
    state: z.string(),
  })
  .meta({ id: 'Address' })

export type Address = z.infer<typeof Address>

const STRICTER = 'Stricter than the interface document, which leaves address input open.'

/** An address in a request. `object` is accepted, so that an address from an answer can be sent back. */
export const AddressInput = z
  .strictObject({
    city: text(1, 255),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Expected a two-letter country code (ISO 3166).')
      .transform((code) => code.toUpperCase())
      .default('US')
      .meta({ description: 'ISO 3166 alpha-2 code, case-insensitive.', override: { default: 'US' } }),
    line1: text(1, 255),
    line2: text(0, 255).default(''),
    object: z
      .literal('address')
      .default('address')
      .describe('Accepted, so that an address from an answer can be sent back.'),
    postalCode: text(1, 255).meta({
      description: `ZIP or ZIP+4 in the US, \`A1A 1A1\` in Canada, otherwise any text. ${STRICTER}`,
      examples: ['60540', '60540-1234', 'K1A 0B6'],
    }),
    state: text(1, 255).meta({
      description: `In the US and Canada, the postal code or the full name of a state, territory, military region or province, stored as the code; otherwise any text. ${STRICTER}`,
      examples: ['IL', 'Illinois', 'ON'],
    }),
  })
  .meta({ id: 'AddressInput' })
