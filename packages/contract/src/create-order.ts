import { z } from 'zod'
import { AddressInput } from './address.ts'
import { Callback } from './callback.ts'
import { Flag, numeric, text } from './primitives.ts'

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

const personName = text(1, 255)
const email = z.email().max(320)
/** Read with the rules of the country when the order is made; here only its size is bounded. */
const phone = text(1, 50)
const reference = { id: text(1, 255).optional() }
const byName = z.strictObject({ ...reference, name: text(1, 255).optional() })

export const DeliveryMethod = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('email'), to: email, cc: z.array(email).max(20).optional() }),
    z.strictObject({ type: z.literal('mobile'), phone }),
  ])
  .meta({ id: 'DeliveryMethod', description: 'How messages about the order reach the participant.' })

export const IdentifierInput = z
  .strictObject({
    type: text(1, 64).meta({ examples: ['ssn', 'driverLicense', 'employeeId', 'passport', 'stateId'] }),
    value: text(1, 255),
    issuingCountry: text(1, 64).nullish(),
    issuingState: text(1, 64).nullish(),
    object: z.literal('participantIdentifier').optional(),
  })
  .meta({ id: 'IdentifierInput', description: 'At most one of each type.' })

export const ParticipantInput = z
  .strictObject({
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    address: AddressInput.optional(),
    birthDate: z.iso.date().optional(),
    email: email.optional(),
    phone: phone.optional(),
    identifiers: z.array(IdentifierInput).max(20).optional(),
  })
  .meta({ id: 'ParticipantInput' })

export const Requester = z
  .strictObject({
    email,
    firstName: personName,
    lastName: personName,
    middleName: personName.optional(),
    phone: phone.optional().meta({ description: 'National or E.164 spelling; kept as E.164.' }),
  })
  .meta({ id: 'Requester' })

/** A number of days or hours may be fractional, but must stay within what a calendar can hold. */
const duration = numeric(z.number().gt(0).max(100_000)).meta({
  override: { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: 100_000 }, { type: 'string' }] },
})

export const OrderSettings = z
  .strictObject({
    schedulingOption: z.enum(SCHEDULING_OPTIONS),
    clinicSelectionMode: z.enum(CLINIC_SELECTION_MODES).optional(),
    billingCode: text(1, 255).optional(),
    expiresIn: duration.optional(),
    expiresInUnit: z.enum(TIME_UNITS).default('days'),
    observedCollection: Flag.optional(),
  })
  .meta({ id: 'OrderSettings' })

export const LookBackPeriod = z.strictObject({
  unit: z.enum(TIME_UNITS),
  value: numeric(z.int().min(1).max(100_000)).meta({
    override: { anyOf: [{ type: 'integer', minimum: 1, maximum: 100_000 }, { type: 'string' }] },
  }),
})

export const OrderMatching = z
  .strictObject({
    enabled: Flag,
    lookBackPeriod: LookBackPeriod.optional(),
    matchScore: numeric(z.number().min(0).max(100))
      .optional()
      .meta({ override: { anyOf: [{ type: 'number', minimum: 0, maximum: 100 }, { type: 'string' }] } }),
    profile: z.enum(MATCHING_PROFILES).optional(),
  })
  .meta({ id: 'OrderMatching' })

export const CreateOrder = z
  .strictObject({
    deliveryMethods: z.array(DeliveryMethod).length(1),
    location: byName,
    package: byName,
    participant: ParticipantInput,
    requester: Requester,
    settings: OrderSettings,
    testReason: z.enum(TEST_REASONS),
    callback: Callback.optional(),
    agency: z.strictObject({ ...reference, code: text(1, 255).optional() }).optional(),
    jobCategory: byName.optional(),
    orderMatching: OrderMatching.optional(),
    otherTestReason: text(1, 30).optional(),
  })
  .meta({ id: 'CreateOrder' })

export type CreateOrder = z.infer<typeof CreateOrder>
