import type { ErrorCode } from './errors.ts'

interface Meaning {
  /** The usual status. */
  status: number
  cause: string
  cure: string
}

/** What each error code means, and what to do about it. */
export const ERROR_MEANINGS: Record<ErrorCode, Meaning> = {
  backgroundCheckIntegrationNotConfigured: {
    status: 400,
    cause: 'The package has a background check, but the location has no provider for it.',
    cure: 'Choose another package, or ask the operator to set a provider.',
  },
  badRequest: {
    status: 400,
    cause: 'The request is malformed, or there were more problems than an error body lists.',
    cure: 'Correct what the detail names, and send the request again.',
  },
  conflict: {
    status: 409,
    cause: 'A name matches several resources, or an Idempotency-Key was used with another body.',
    cure: 'Send the id instead of the name, or a new key.',
  },
  insufficientScope: {
    status: 401,
    cause: 'The token is valid but may not do this. Creates answer 403.',
    cure: 'Use a token that has the scope; GET /api/v2/token lists those of this one.',
  },
  internalError: {
    status: 500,
    cause: 'The service failed, is overloaded or cannot reach its database (503).',
    cure: 'Retry with exponential backoff, after Retry-After if it is given. Repeat creates with the same Idempotency-Key.',
  },
  invalidElement: { status: 400, cause: 'An element of a list or map is invalid.', cure: 'Correct the element.' },
  invalidFormat: {
    status: 400,
    cause: 'A text does not have the expected format, such as that of a date or a URL.',
    cure: 'Send it in the format that the detail names.',
  },
  invalidKey: {
    status: 400,
    cause: 'The name of a member is not allowed there, such as a header that the service sets itself.',
    cure: 'Remove or rename the member.',
  },
  invalidScheduleStrategy: {
    status: 400,
    cause: 'The clinic selection mode does not go with the scheduling option.',
    cure: 'Use requesterSelects with order, and the other modes with schedule.',
  },
  invalidState: {
    status: 422,
    cause: 'The resource is in a state that does not allow this.',
    cure: 'Read the resource, and act on its current state.',
  },
  invalidType: { status: 400, cause: 'A value has the wrong JSON type.', cure: 'Send the type that the detail names.' },
  invalidUnion: { status: 400, cause: 'A value matches none of the accepted forms.', cure: 'Send one of these forms.' },
  invalidValue: {
    status: 400,
    cause: 'A value is not one of those that are possible here.',
    cure: 'Send a value that the detail names, or that the list it refers to contains.',
  },
  linkRequiredBackground: {
    status: 400,
    cause: 'A package with a background check can only be ordered by link.',
    cure: 'Set settings.schedulingOption to link.',
  },
  notFound: {
    status: 404,
    cause: 'The resource does not exist, is inactive, or is not visible to this token.',
    cure: 'Check the id and the companies of the token.',
  },
  notMultipleOf: { status: 400, cause: 'A number is not a multiple of what is required.', cure: 'Send a multiple.' },
  required: { status: 400, cause: 'A member or parameter is missing.', cure: 'Send it.' },
  scheduleClinicExcludedByFeeCap: {
    status: 400,
    cause: 'The clinics that could take the order cost more than the location allows.',
    cure: 'Use another scheduling option, or ask the operator to raise the cap.',
  },
  scheduleConfiguredClinicUnavailable: {
    status: 400,
    cause: 'No clinic can take the order: none is configured, active, near enough, or offers all services.',
    cure: 'Use another clinic selection mode or the scheduling option link.',
  },
  tooBig: {
    status: 400,
    cause: 'A value, list or body is larger than its limit (413 for a body).',
    cure: 'Send less; the detail names the limit.',
  },
  tooManyRequests: {
    status: 429,
    cause: 'The token has used up its requests per minute, or an event was sent again too soon.',
    cure: 'Wait for the seconds in Retry-After.',
  },
  tooSmall: { status: 400, cause: 'A value or list is smaller than its limit.', cure: 'The detail names the limit.' },
  unauthenticated: {
    status: 401,
    cause: 'The token is missing, unknown, revoked or expired.',
    cure: 'Send Authorization: Bearer and a valid token.',
  },
  unrecognizedKeys: {
    status: 400,
    cause: 'A member or parameter is unknown.',
    cure: 'Remove it, or correct its name: the detail suggests the nearest known one.',
  },
}
