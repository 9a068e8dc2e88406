import { z } from 'zod'
import { AddressInput } from './address.ts'
import { Callback } from './callback.ts'
import {
  Flag,
  NO_CONTROLS,
  NO_CONTROLS_DETAIL,
  numberOrText,
  shown,
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

/** What `otherTestReason` may say where the package has no DOT drug, alcohol or occupational health service. */
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
  .meta({ override: shown(() => ({ type: 'string', minLength: 1, maxLength: 255 })) })
const email = z.email().max(320)
/** Read with the rules of the country when the order is created; here only its size is bounded. */
const phone = text(1, 50)
const phoneSpelling =
  'National (US) or E.164 spelling, stored as E.164. Checked by length, not by whether it is assigned.'
/** Whatever somebody wrote down as the number of a participant (ruling 36). */
const participantPhone = text(1, 64)
  .regex(NO_CONTROLS, NO_CONTROLS_DETAIL)
  .meta({ override: shown(() => ({ type: 'string', minLength: 1, maxLength: 64 })) })
/** How many copies of a message and how many identifiers an order may have (ruling 39). */
const MOST_COPIES = 50
const MOST_IDENTIFIERS = 50
const reference = { id: text(1, 255).optional() }
const named = { ...reference, name: text(1, 255).optional() }
/** Which of the two are given is a rule of the order; the document can at least say that one must be. */
const oneOf = { override: { minProperties: 1 } }

export const DeliveryMethod = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('email'), to: email, cc: z.array(email).max(MOST_COPIES).optional() })
      .meta({ id: 'EmailDelivery', title: 'E-mail' }),
    z
      .strictObject({ type: z.literal('mobile'), phone: phone.meta({ description: phoneSpelling }) })
      .meta({ id: 'MobileDelivery', title: 'Text message' }),
  ])
  .meta({ id: 'DeliveryMethod', description: 'How messages about the order reach the participant.' })

export const IdentifierInput = z
  .strictObject({
    type: text(1, 64).meta({ examples: ['ssn', 'driverLicense', 'employeeId', 'passport', 'stateId'] }),
    value: text(1, 255),
    issuingCountry: text(1, 64).nullish(),
    issuingState: text(1, 64).nullish(),
    object: z.literal('participantIdentifier').optional().meta({
      description: 'Taken, so that an identifier that was read can be sent back.',
    }),
  })
  .meta({ id: 'IdentifierInput' })

const whenOrder = 'Required when `settings.schedulingOption` is `order`.'

export const ParticipantInput = z
  .strictObject({
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    address: AddressInput.optional().meta({
      description: `${whenOrder} With \`schedule\`, required unless the clinic is \`configured\`.`,
    }),
    birthDate: z.iso
      .date()
      .optional()
      .meta({
        description: `${whenOrder} From 1900-01-01 to today (UTC): an earlier date is \`tooSmall\`, a later one \`tooBig\`. Stricter than the interface document, which takes any calendar date.`,
      }),
    email: email.optional().meta({ description: whenOrder }),
    phone: participantPhone.optional().meta({
      description: `${whenOrder} Stored as E.164 (region US) where it is such a number, with \`;ext=\` and the extension behind it if it has one; otherwise as sent.`,
    }),
    identifiers: z
      .array(IdentifierInput)
      .max(MOST_IDENTIFIERS)
      .optional()
      .meta({ description: `${whenOrder} At most one of each type. FMCSA orders need a \`driverLicense\`.` }),
  })
  .meta({ id: 'ParticipantInput', description: 'The person tested.' })

export const Requester = z
  .strictObject({
    email: email.meta({ description: 'Identifies the requesting user.' }),
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    phone: phone.optional().meta({ description: phoneSpelling }),
  })
  .meta({ id: 'Requester', description: 'Who places the order.' })

/** A number of days or hours may be fractional, but must stay within what a calendar can hold. */
const duration = numberOrText(z.number().gt(0).max(100_000))

export const OrderSettings = z
  .strictObject({
    schedulingOption: z.enum(SCHEDULING_OPTIONS).meta({
      description:
        '`link` sends the participant a link to complete the order, `order` creates it from the details given, ' +
        '`schedule` also books a collection site.',
    }),
    clinicSelectionMode: z
      .enum(CLINIC_SELECTION_MODES)
      .optional()
      .meta({
        description:
          '`closestToParticipant` (what `schedule` does by itself) and `configured` go with `schedule`, ' +
          '`requesterSelects` goes with `order`.',
      }),
    billingCode: text(1, 255)
      .optional()
      .meta({ description: 'Required where the location or its company makes billing codes mandatory.' }),
    expiresIn: duration.optional().meta({ description: 'Time until the order expires.' }),
    expiresInUnit: z.enum(TIME_UNITS).default('days').meta({ description: 'The unit of `expiresIn`.' }),
    observedCollection: Flag.optional().meta({
      description: 'Required, and true, for a return-to-duty or follow-up test with a DOT urine service.',
    }),
  })
  .meta({ id: 'OrderSettings', description: 'How the order is completed.' })

export const LookBackPeriod = z.strictObject({
  unit: z.enum(TIME_UNITS),
  value: numberOrText(z.int().min(1).max(100_000)),
})

export const OrderMatching = z
  .strictObject({
    enabled: Flag.meta({ description: 'Whether to match against existing orders first.' }),
    lookBackPeriod: LookBackPeriod.optional().meta({ description: 'How far back to look.' }),
    matchScore: numberOrText(z.number().min(0).max(100))
      .optional()
      .meta({
        description:
          'The minimum score, which chooses among equivalent orders; 100 accepts exact matches only. Orders are never ' +
          'equivalent when names, birth dates or identifiers conflict, whatever the score. For tokens without ' +
          '`order.participant.read`, the score of the location or company setting (85 by default, 90 for ' +
          '`appCollection`) is the lowest that counts.',
      }),
    profile: z
      .enum(MATCHING_PROFILES)
      .optional()
      .meta({ description: "`appCollection` finds tests that a collector's app recorded before the order arrived." }),
  })
  .meta({ id: 'OrderMatching', description: 'Overrides what the location or company has set.' })

export const CreateOrder = z
  .strictObject({
    deliveryMethods: z.array(DeliveryMethod).length(1),
    location: z.strictObject(named).meta({
      description: 'Where the order is placed, by id or exact name; use `id` where names are not unique.',
      ...oneOf,
    }),
    package: z.strictObject(named).meta({
      description: 'What is tested, by id or by name: matched exactly first, then in any case.',
      ...oneOf,
    }),
    participant: ParticipantInput,
    requester: Requester,
    settings: OrderSettings,
    testReason: z.enum(TEST_REASONS),
    callback: Callback.optional(),
    agency: z
      .strictObject({ ...reference, code: text(1, 255).optional().meta({ description: 'In any case.' }) })
      .optional()
      .meta({ description: 'Required when the package has a DOT service, refused when it has none.', ...oneOf }),
    jobCategory: z
      .strictObject(named)
      .optional()
      .meta({
        description:
          'One that the agency publishes. Only for an order with a DOT service under FAA, FRA or FTA; ' +
          'required there when the package has a DOT urine test.',
        ...oneOf,
      }),
    orderMatching: OrderMatching.optional(),
    otherTestReason: text(1, 30)
      .optional()
      .meta({
        description:
          'Only with `testReason` `other`. Free text when the package has a DOT drug, alcohol or occupational health ' +
          `service, otherwise one of ${OTHER_TEST_REASONS.map((reason) => `\`${reason}\``).join(', ')}.`,
      }),
  })
  .meta({ id: 'CreateOrder' })

export type CreateOrder = z.infer<typeof CreateOrder>
