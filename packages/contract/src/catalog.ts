import { z } from 'zod'
import { Branding, CatalogTexts, LANGUAGE_CODE } from './branding.ts'
import { MATCHING_PROFILES, LookBackPeriod, TIME_UNITS } from './create-order.ts'
import { Coordinates, showAs, text } from './primitives.ts'
import { ALL_SCOPES, SENDER_KINDS, SHORT_SCOPES, expandScopes } from './scopes.ts'

/** Ids become path segments, and clients resolve segments that consist of dots. */
const id = text(1, 255)
  .regex(/^(?!\.{1,2}$)\P{Cc}+$/u, 'An id cannot be "." or ".." or contain control characters.')
  // Not every validator supports Unicode property escapes.
  .meta({ override: showAs(({ type, minLength, maxLength }) => ({ type, minLength, maxLength })) })
const name = text(1, 255)
/** Bounded, because every page for participants reads the opening hours. */
const MOST_HOURS = 1_000
const ids = z.array(id).max(10_000)
const isActive = z.boolean().default(true)

export const Timezone = z
  .string()
  .refine(isTimeZone, 'Expected an IANA time zone such as America/Chicago.')
  .describe('An IANA time zone.')

/** An address in a catalog file. Omitted members are empty. */
const address = z
  .strictObject({
    line1: text(0, 255).default(''),
    line2: text(0, 255).default(''),
    city: text(0, 255).default(''),
    state: text(0, 64).default(''),
    postalCode: text(0, 20).default(''),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'Expected a two-letter country code in capitals (ISO 3166).')
      .default('US'),
    object: z.literal('address').optional(),
  })
  .meta({ id: 'CatalogAddress' })

/** Someone whom collectors and participants may need to reach. */
const person = z
  .strictObject({ name, phone: text(1, 50).optional(), email: z.email().max(320).optional() })
  .meta({ id: 'CatalogPerson' })

/** Names in other languages, by their two-letter code. */
const translations = z.record(z.string().regex(LANGUAGE_CODE, 'Expected a two-letter language code such as es.'), name)

const settings = z
  .strictObject({
    billingCodeRequired: z.boolean().optional(),
    orderMatching: z
      .strictObject({
        enabled: z.boolean(),
        lookBackPeriod: LookBackPeriod.optional(),
        matchScore: z.number().min(0).max(100).optional(),
        profile: z.enum(MATCHING_PROFILES).optional(),
      })
      .optional(),
    configuredClinic: id.optional(),
    clinicFeeCap: z.number().min(0).optional(),
    clinicRadiusMiles: z.number().gt(0).max(500).optional(),
    expiresIn: z.number().gt(0).max(100_000).optional(),
    expiresInUnit: z.enum(TIME_UNITS).optional(),
    backgroundProvider: text(1, 255).optional(),
    clinicEmails: z
      .boolean()
      .optional()
      .describe('Whether clinics with an e-mail address get a mail about booked times. Default: true.'),
    confirmIdentity: z
      .boolean()
      .optional()
      .describe(
        'Whether participants confirm their birth date or last name before a new device shows their pass. Default: true.',
      ),
    der: person.optional().describe("The employer's designated representative (49 CFR 40.3)."),
    reviewer: person
      .extend({ address: address.optional() })
      .meta({ id: 'CatalogReviewer' })
      .optional()
      .describe('The medical review officer.'),
  })
  .meta({ id: 'CatalogSettings' })

const service = z
  .strictObject({
    id,
    name,
    names: translations.optional(),
    category: text(1, 64),
    type: text(1, 64),
    isDot: z.boolean(),
    requiresMro: z.boolean().optional(),
    lab: z.strictObject({ id, name }).optional(),
  })
  .meta({ id: 'CatalogService' })

const package_ = z
  .strictObject({ id, name, names: translations.optional(), services: ids, isActive })
  .meta({ id: 'CatalogPackage' })

/** A place or a company that can be reached. */
const contact = { id, name, phone: text(1, 50).optional(), address: address.optional() }

const clinic = z
  .strictObject({
    ...contact,
    coordinates: z.strictObject(Coordinates.shape).optional(),
    services: ids,
    fee: z.number().min(0).optional(),
    hours: z
      .unknown()
      .refine((hours) => countValues(hours, MOST_HOURS) <= MOST_HOURS, {
        error: `Expected at most ${MOST_HOURS} values.`,
        params: { code: 'tooBig' },
      })
      .optional()
      .describe('Of any form, with up to 1,000 values.'),
    timezone: Timezone.optional(),
    email: z.email().max(320).optional().describe('Where booked times are sent.'),
    walkIns: z.boolean().optional().describe('Whether it takes people without an appointment.'),
    slots: z
      .strictObject({ minutes: z.literal([15, 30]), capacity: z.int().min(1).max(100) })
      .optional()
      .describe('Appointments, every 15 or 30 minutes of its opening hours, each for this many people.'),
    isActive,
  })
  .meta({ id: 'CatalogClinic' })

const location = z
  .strictObject({ ...contact, isActive, packages: ids.optional(), settings: settings.optional() })
  .meta({ id: 'CatalogLocation' })

const company = location
  .extend({ packages: ids.default([]), branding: Branding.optional(), locations: z.array(location).default([]) })
  .meta({ id: 'CatalogCompany' })

export const tokenScopes = z
  .array(z.enum([...ALL_SCOPES, ...SHORT_SCOPES]))
  .max(100)
  .transform((names) => expandScopes(names))
  .meta({
    description: '`all`, `operator.*` and `intake.*` stand for all scopes of a kind.',
    override: showAs(() => ({
      type: 'array',
      maxItems: 100,
      items: { type: 'string', enum: [...ALL_SCOPES, ...SHORT_SCOPES] },
    })),
  })

/** A sender of result reports that a token may send for. */
export const TokenSender = z
  .strictObject({
    id: text(1, 255).describe('`sender.id` of a JSON message; MSH-4 or MSH-3 of an HL7 message.'),
    name: text(1, 255).optional().describe('What operators call it.'),
    role: z.enum(SENDER_KINDS).describe('The kind of sender. The token needs the scope `intake.<role>`.'),
    labs: z
      .array(id)
      .optional()
      .describe(
        'Ids of the laboratories it sends for. Reports about services of other laboratories wait for an operator. ' +
          'By default, a sender sends for the laboratory whose id or name equals its own id.',
      ),
    timezone: Timezone.optional().describe('IANA time zone of HL7 times without an offset (default: UTC).'),
  })
  .meta({ id: 'TokenSender' })

export const CatalogToken = z
  .strictObject({
    id,
    name,
    scopes: tokenScopes,
    companies: ids,
    secret: z
      .string()
      .min(16)
      .max(255)
      .regex(/^[\x21-\x7e]+$/, 'Expected visible ASCII characters without spaces.')
      .optional()
      .describe('For sandboxes and tests. Not allowed in production.'),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
    rateLimit: z.int().min(0).optional(),
    senders: z
      .array(TokenSender)
      .max(1000)
      .optional()
      .describe('The senders it may send for. Without this member, any sender of its `intake.` scopes.'),
  })
  .meta({ id: 'CatalogToken' })

/** The code of a laboratory for a service (OBR-4 of its HL7 messages). */
const laboratoryCode = z.strictObject({ lab: id, code: text(1, 255), service: id }).meta({ id: 'LaboratoryCode' })

/** A catalog file: everything that an operator configures for one tenant. */
export const CatalogFile = z
  .strictObject({
    tenant: z.strictObject({ id, name, branding: Branding.optional(), texts: CatalogTexts.optional() }),
    services: z.array(service).default([]),
    packages: z.array(package_).default([]),
    clinics: z.array(clinic).default([]),
    companies: z.array(company).default([]),
    tokens: z.array(CatalogToken).default([]),
    laboratoryCodes: z
      .array(laboratoryCode)
      .optional()
      .describe('Codes of laboratories for services, if they differ from the id and the name.'),
  })
  .meta({ id: 'CatalogFile' })

export type CatalogFile = z.infer<typeof CatalogFile>
export type Sender = z.infer<typeof TokenSender>
export type CatalogSettings = z.infer<typeof settings>
export type CatalogAddress = z.infer<typeof address>

/** Number of values in a value, itself included. Counting stops past the limit. */
function countValues(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const member of Object.values(value)) {
    if (count > most) break
    count += countValues(member, most - count)
  }
  return count
}

/** Zones looked up before: a file names the same few for all of its clinics, and each look-up takes long. */
const zones = new Map<string, boolean>()
const REMEMBERED = 1_000

function isTimeZone(zone: string): boolean {
  const known = zones.get(zone)
  if (known !== undefined) return known
  if (zones.size >= REMEMBERED) zones.clear()
  const isZone = zone.length <= 64 && hasTimes(zone)
  zones.set(zone, isZone)
  return isZone
}

function hasTimes(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}
