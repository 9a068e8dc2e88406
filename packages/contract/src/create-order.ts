import { z } from 'zod'
import { AddressInput } from './address.ts'
import { Callback } from './callback.ts'
import {
  Flag,
  NO_CONTROLS,
  NO_CONTROLS_DETAIL,
  numberOrText,
  openEnum,
  showAs,
  STORABLE,
  STORABLE_DETAIL,
  text,
} from './primitives.ts'

export const TEST_REASONS = [
  'blindSample',
  'fitnessForDuty',
  'followUp',
  'jobTransfer',
  'notIndicated',
  'other',
  'periodic',
  'periodicMedical',
  'postAccident',
  'preEmployment',
  'preSiteAccess',
  'probation',
  'promotion',
  'random',
  'reasonableSuspicion',
  'returnToDuty',
  'splitSpecimen',
  'sweep',
  'unauthorizedTest',
  'unknown',
  'injury',
] as const

/** The known types of identifiers. Others are accepted. */
export const IDENTIFIER_TYPES = ['ssn', 'driverLicense', 'employeeId', 'passport', 'stateId'] as const

/** Values of `otherTestReason` if the package has no DOT drug, alcohol or occupational health service. */
export const OTHER_TEST_REASONS = [
  'clinical',
  'courtOrdered',
  'criminalJustice',
  'diversion',
  'drugTreatment',
  'employeeAnnual',
  'forensic',
  'personal',
  'personalLegal',
  'probableCause',
  'proficiencyTesting',
  'reversal',
  'sendOut',
  'specialForensic',
] as const

export const SCHEDULING_OPTIONS = ['link', 'order', 'schedule'] as const
export const CLINIC_SELECTION_MODES = ['closestToParticipant', 'configured', 'requesterSelects'] as const
export const MATCHING_PROFILES = ['appCollection', 'standard'] as const
export const TIME_UNITS = ['days', 'hours'] as const

/** A person's name, trimmed (ruling 34). */
const personName = z
  .string()
  .trim()
  .min(1)
  .max(255)
  .regex(STORABLE, STORABLE_DETAIL)
  .regex(NO_CONTROLS, NO_CONTROLS_DETAIL)
  .meta({ override: showAs(() => ({ type: 'string', minLength: 1, maxLength: 255 })) })
const email = z.email().max(320)
/** Parsed when the order is created; the schema only limits its length. */
const phone = text(1, 50)
const phoneSpelling =
  'US national or E.164 format, stored as E.164. Only the length is checked, not whether the number is assigned.'
/** Any text is accepted as the phone number of a participant (ruling 36). */
const participantPhone = text(1, 64)
  .regex(NO_CONTROLS, NO_CONTROLS_DETAIL)
  .meta({ override: showAs(() => ({ type: 'string', minLength: 1, maxLength: 64 })) })
/** Limits of copies of a notification and of identifiers (ruling 39). */
const MOST_COPIES = 50
const MOST_IDENTIFIERS = 50
const reference = { id: text(1, 255).optional() }
const named = { ...reference, name: text(1, 255).optional() }
/** Which members are required is a rule of the order; the schema only documents that one is. */
const oneOf = { override: { minProperties: 1 } }

const DeliveryMethod = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('email'), to: email, cc: z.array(email).max(MOST_COPIES).optional() })
      .meta({ id: 'EmailDelivery', title: 'E-mail' }),
    z
      .strictObject({ type: z.literal('mobile'), phone: phone.describe(phoneSpelling) })
      .meta({ id: 'MobileDelivery', title: 'Text message' }),
  ])
  .meta({ id: 'DeliveryMethod', description: 'How notifications about the order reach the participant.' })

const IdentifierInput = z
  .strictObject({
    type: openEnum(IDENTIFIER_TYPES, text(1, 64)),
    value: text(1, 255),
    issuingCountry: text(1, 64).nullish(),
    issuingState: text(1, 64).nullish(),
    object: z
      .literal('participantIdentifier')
      .optional()
      .describe('Accepted, so that an identifier from an answer can be sent back.'),
  })
  .meta({ id: 'IdentifierInput' })

const whenOrder = 'Required when `settings.schedulingOption` is `order`.'

export const ParticipantInput = z
  .strictObject({
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    address: AddressInput.optional().describe(
      `${whenOrder} With \`schedule\`, required unless the clinic selection mode is \`configured\`.`,
    ),
    birthDate: z.iso
      .date()
      .optional()
      .describe(
        `${whenOrder} From 1900-01-01 to today (UTC): an earlier date is \`tooSmall\`, a later one \`tooBig\`. Stricter than the interface document, which accepts any calendar date.`,
      ),
    email: email.optional().describe(whenOrder),
    phone: participantPhone
      .optional()
      .describe(
        `${whenOrder} Stored as E.164 (region US) if it is a valid number, followed by \`;ext=\` and the extension if it has one; otherwise as sent.`,
      ),
    identifiers: z
      .array(IdentifierInput)
      .max(MOST_IDENTIFIERS)
      .optional()
      .describe(`${whenOrder} At most one per type. FMCSA orders require a \`driverLicense\`.`),
  })
  .meta({ id: 'ParticipantInput', description: 'The person to be tested.' })

const Requester = z
  .strictObject({
    email: email.describe('Identifies the requesting user.'),
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    phone: phone.optional().describe(phoneSpelling),
  })
  .meta({ id: 'Requester', description: 'The person who places the order.' })

/** Days or hours, possibly fractional; bounded so that dates stay valid. */
const duration = numberOrText(z.number().gt(0).max(100_000))

export const OrderSettings = z
  .strictObject({
    schedulingOption: z
      .enum(SCHEDULING_OPTIONS)
      .describe(
        '`link` sends the participant a link to complete the order, `order` creates it from the details given, ' +
          '`schedule` also books a collection site.',
      ),
    clinicSelectionMode: z
      .enum(CLINIC_SELECTION_MODES)
      .optional()
      .describe(
        '`closestToParticipant` (the default of `schedule`) and `configured` require `schedule`; ' +
          '`requesterSelects` requires `order`.',
      ),
    billingCode: text(1, 255).optional().describe('Required if the location or its company requires billing codes.'),
    expiresIn: duration.optional().describe('Time until the order expires.'),
    expiresInUnit: z.enum(TIME_UNITS).default('days').describe('The unit of `expiresIn`.'),
    observedCollection: Flag.optional().describe(
      'Must be true for a return-to-duty or follow-up test with a DOT urine service.',
    ),
  })
  .meta({ id: 'OrderSettings', description: 'How the order is completed.' })

export const LookBackPeriod = z.strictObject({
  unit: z.enum(TIME_UNITS),
  value: numberOrText(z.int().min(1).max(100_000)),
})

export const OrderMatching = z
  .strictObject({
    enabled: Flag.describe('Whether to match against existing orders first.'),
    lookBackPeriod: LookBackPeriod.optional().describe('How far back to look.'),
    matchScore: numberOrText(z.number().min(0).max(100))
      .optional()
      .describe(
        'The minimum score, which chooses among equivalent orders; 100 accepts exact matches only. Orders are never ' +
          'equivalent when names, birth dates or identifiers conflict, whatever the score. For tokens without ' +
          '`order.participant.read`, the score of the location or company setting (85 by default, 90 for ' +
          '`appCollection`) is the minimum.',
      ),
    profile: z
      .enum(MATCHING_PROFILES)
      .optional()
      .describe("`appCollection` finds tests that a collector's app recorded before the order arrived."),
  })
  .meta({ id: 'OrderMatching', description: 'Overrides the settings of the location or company.' })

export const CreateOrder = z
  .strictObject({
    deliveryMethods: z.array(DeliveryMethod).length(1),
    location: z.strictObject(named).meta({
      description: 'Where the order is placed, by id or exact name. Use `id` if names are not unique.',
      ...oneOf,
    }),
    package: z.strictObject(named).meta({
      description: 'What is tested, by id or name. Names are matched exactly first, then case-insensitively.',
      ...oneOf,
    }),
    participant: ParticipantInput,
    requester: Requester,
    settings: OrderSettings,
    testReason: z.enum(TEST_REASONS),
    callback: Callback.optional(),
    externalId: text(1, 255)
      .optional()
      .describe('Your own identifier of the order, for example of the candidate or the case. Need not be unique.'),
    agency: z
      .strictObject({ ...reference, code: text(1, 255).optional().describe('Case-insensitive.') })
      .optional()
      .meta({ description: 'Required if the package has a DOT service, otherwise not allowed.', ...oneOf }),
    jobCategory: z
      .strictObject(named)
      .optional()
      .meta({
        description:
          'A job category of the agency. Only for orders with a DOT service under FAA, FRA or FTA; ' +
          'required there if the package has a DOT urine test.',
        ...oneOf,
      }),
    orderMatching: OrderMatching.optional(),
    otherTestReason: text(1, 30)
      .optional()
      .meta({
        description:
          'Only with `testReason` `other`. Free text if the package has a DOT drug, alcohol or occupational health ' +
          `service, otherwise one of ${OTHER_TEST_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`,
      }),
  })
  .meta({ id: 'CreateOrder' })

export type CreateOrder = z.infer<typeof CreateOrder>
