import { z } from 'zod'
import { text } from './primitives.ts'

export const Address = z
  .object({
    city: z.string(),
    country: z.string().meta({ description: 'ISO 3166 alpha-2 code.' }),
    line1: z.string(),
    line2: z.string().meta({ description: 'Empty when there is none.' }),
    object: z.literal('address'),
    postalCode: z.string(),
    state: z.string(),
  })
  .meta({ id: 'Address' })

export type Address = z.infer<typeof Address>

/** An address as requests give it. `object` is taken, so that an address that was read can be sent back. */
export const AddressInput = z
  .strictObject({
    city: text(1, 255),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Expected a two-letter country code (ISO 3166).')
      .transform((code) => code.toUpperCase())
      .default('US')
      .meta({ description: 'ISO 3166 alpha-2 code, in any case.', override: { default: 'US' } }),
    line1: text(1, 255),
    line2: text(0, 255).default(''),
    object: z
      .literal('address')
      .default('address')
      .meta({ description: 'Taken, so that an address that was read can be sent back.' }),
    postalCode: text(1, 20),
    state: text(1, 64),
  })
  .meta({ id: 'AddressInput' })
