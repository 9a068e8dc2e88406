import type { ErrorCode } from './errors.ts'

interface Advice {
  cause: string
  cure: string
}

/** Texts are Markdown. */
interface Meaning extends Advice {
  /** The usual status. */
  status: number
  /** Further statuses, and when they are used. */
  otherStatuses?: Readonly<Record<number, string>>
  /** The usual cases, where there are several. */
  cases?: readonly Advice[]
}

/** What each error code means, and what to do about it. */
export const ERROR_MEANINGS: Record<ErrorCode, Meaning> = {
  backgroundCheckIntegrationNotConfigured: {
    status: 400,
    cause:
      'The package has a background check, but neither the location nor its company has a provider for it, or, in production, the tenant has no disclosure and authorization of its own.',
    cure: 'Choose another package, or ask the operator to set a provider and the texts. "ots doctor" names what is missing.',
  },
  badRequest: {
    status: 400,
    otherStatuses: {
      405: 'the path does not accept this method',
      408: 'the request did not arrive completely in time',
      415: 'the body is not JSON, or it is compressed',
    },
    cause: 'The request cannot be read, or it has more problems than an error body lists.',
    cure: 'Correct what `detail` names, and send the request again.',
    cases: [
      { cause: 'The body is not valid JSON or not UTF-8.', cure: 'Serialise it with a JSON library, as UTF-8.' },
      {
        cause: 'The body has another media type, or a `Content-Encoding`.',
        cure: 'Send it uncompressed, with `Content-Type: application/json`.',
      },
      { cause: 'The path exists, but not with this method.', cure: 'Use one of the methods in the `Allow` header.' },
      {
        cause: 'It is the last entry of a long list, and `meta.omitted` is a number.',
        cure: 'Fix the problems that are listed, and send the request again to see the rest.',
      },
    ],
  },
  conflict: {
    status: 409,
    cause: 'A name matches several resources, or an `Idempotency-Key` was reused with another body.',
    cure: 'Send the id instead of the name, or a new key.',
    cases: [
      {
        cause: 'Several locations or packages have the name you sent. Reported only if nothing else is wrong.',
        cure: 'Send the `id` instead of the `name`.',
      },
      {
        cause: 'You used this `Idempotency-Key` before, for a different request.',
        cure: 'Use a new key for each order, and the same key only to repeat the same request.',
      },
    ],
  },
  insufficientScope: {
    status: 401,
    otherStatuses: { 403: 'the operation creates or validates an order' },
    cause: 'The token is valid, but it lacks the scope of this operation.',
    cure: 'Use a token that has the scope named in `detail`. `GET /api/v2/token` lists the scopes of your token; the operator can add some.',
  },
  internalError: {
    status: 500,
    otherStatuses: { 503: 'the service is busy, is stopping, or cannot reach its database' },
    cause: 'The service failed, is overloaded, or cannot reach its database.',
    cure: 'Retry with exponential backoff, and not before the seconds in `Retry-After`, if it is given. Repeat a create with the same `Idempotency-Key`, because the order may exist already.',
  },
  invalidElement: {
    status: 400,
    cause: 'An element of a set or map is invalid. Reserved: no operation uses this code today.',
    cure: 'Correct the element.',
  },
  invalidFormat: {
    status: 400,
    cause: 'A text does not have the expected format, such as that of a date, an e-mail address or a URL.',
    cure: 'Send it in the format that `detail` names.',
    cases: [
      { cause: 'A date or time.', cure: 'Send `1990-02-28` for a date, `2026-01-31T08:00:00Z` for a time.' },
      {
        cause: 'A phone number of a requester or a text message.',
        cure: 'Send it in US national or E.164 format: `(630) 555-0100` or `+16305550100`.',
      },
      { cause: 'A postal code.', cure: 'Send ZIP or ZIP+4 in the US, `A1A 1A1` in Canada.' },
      { cause: 'A callback URL.', cure: 'Send an absolute `http` or `https` URL; in production, `https` only.' },
      { cause: 'A name or header with line breaks or other control characters.', cure: 'Remove them.' },
      {
        cause: 'A cursor that this list did not give you.',
        cure: 'Use `nextCursor` unchanged, or begin with an empty one.',
      },
    ],
  },
  invalidKey: {
    status: 400,
    cause: 'The name of a member is not allowed there, such as a header that the service sets itself.',
    cure: 'Remove or rename the member.',
    cases: [
      {
        cause: 'A callback header that the service or the connection sets, such as `X-Signature` or `Content-Length`.',
        cure: 'Remove it.',
      },
      { cause: 'The same header twice, in different letter case.', cure: 'Send it once.' },
      { cause: 'A name with characters that HTTP does not allow in header names.', cure: 'Rename the header.' },
    ],
  },
  invalidScheduleStrategy: {
    status: 400,
    cause: 'The clinic selection mode does not go with the scheduling option.',
    cure: 'Use `requesterSelects` with `order`, `closestToParticipant` or `configured` with `schedule`, and no mode with `link`.',
  },
  invalidState: {
    status: 422,
    cause: 'The resource is in a state that does not allow this.',
    cure: 'Read the resource, and act on its current state.',
    cases: [
      {
        cause: 'You cancel an order that has an outcome, has expired, or was missed.',
        cure: 'Nothing to do: such an order needs no cancellation.',
      },
      { cause: 'The order already has the most active callbacks it may have.', cure: 'End one of them first.' },
      {
        cause:
          'You resend an event whose callbacks have ended or moved to another version, or whose content was deleted.',
        cure: 'Read the order instead.',
      },
    ],
  },
  invalidType: { status: 400, cause: 'A value has the wrong JSON type.', cure: 'Send the type that `detail` names.' },
  invalidUnion: {
    status: 400,
    cause: 'A value matches none of the accepted forms.',
    cure: 'Send one of the forms that the API reference shows for this member.',
  },
  invalidValue: {
    status: 400,
    cause: 'A value is not one of those that are possible here.',
    cure: 'Send a value that `detail` names, or one from the list it refers to.',
    cases: [
      { cause: 'The value is not in a fixed list.', cure: 'Send one of the values in `detail`.' },
      {
        cause: 'A location, package, agency or job category is unknown, inactive, or not available to you.',
        cure: 'List what is available: `GET /api/v2/locations`, `/packages?locationId=…`, `/agencies`.',
      },
      {
        cause: 'The member is not allowed in this combination, such as `agency` with a package without DOT services.',
        cure: 'Leave it out.',
      },
      {
        cause: 'No clinic is in reach of the participant, or the address cannot be located.',
        cure: 'Check the address, or use `POST /api/v2/clinics/search` and another scheduling option.',
      },
      {
        cause: 'The callback URL has credentials, or leads to a private or otherwise special address.',
        cure: 'Send credentials in `callback.auth`, and use a public address.',
      },
    ],
  },
  linkRequiredBackground: {
    status: 400,
    cause: 'The package has a background check, which the participant must authorise on the page that a link opens.',
    cure: 'Set `settings.schedulingOption` to `link`.',
  },
  notFound: {
    status: 404,
    cause: 'The resource does not exist, is inactive, or is not visible to this token; or the path is unknown.',
    cure: 'Check the path, the id, and the companies of the token (`GET /api/v2/token`). The answer never says which of these it is.',
  },
  notMultipleOf: {
    status: 400,
    cause: 'A number is not a multiple of what is required. Reserved: no operation uses this code today.',
    cure: 'Send a multiple.',
  },
  required: {
    status: 400,
    cause: 'A member or parameter is missing.',
    cure: 'Send it.',
    cases: [
      { cause: 'It is always required.', cure: 'Send it.' },
      {
        cause: 'Another member makes it required, such as `participant.birthDate` with the scheduling option `order`.',
        cure: 'Send it, or change the other member.',
      },
      {
        cause: 'A transport regulation requires it; `meta.regulation` names the section.',
        cure: 'Send it. Such a rule cannot be switched off.',
      },
      { cause: 'The location requires a billing code.', cure: 'Send `settings.billingCode`.' },
    ],
  },
  scheduleClinicExcludedByFeeCap: {
    status: 400,
    cause: 'Every clinic in reach costs more than the location or its company allows.',
    cure: 'Use another scheduling option, or ask the operator to raise the cap.',
  },
  scheduleConfiguredClinicUnavailable: {
    status: 400,
    cause:
      'You asked for the `configured` clinic, but the location and its company have none that is active, offers all services and is within the fee cap.',
    cure: 'Use `closestToParticipant` or the scheduling option `link`, or ask the operator to configure a clinic.',
  },
  tooBig: {
    status: 400,
    otherStatuses: { 413: 'the body is too large', 431: 'the headers are too large' },
    cause: 'A number, text, list, date, body or header is larger than its limit.',
    cure: 'Send less; `detail` names the limit.',
  },
  tooManyRequests: {
    status: 429,
    cause: 'The token has used up its requests for this minute, or something is repeated too often.',
    cure: 'Wait for the seconds in `Retry-After`.',
    cases: [
      {
        cause: 'The token made more requests than it may in a minute.',
        cure: 'Wait for `Retry-After`; spread requests by `RateLimit-Remaining` and `RateLimit-Reset`.',
      },
      { cause: 'The same event was sent again a moment ago.', cure: 'Wait for `Retry-After`.' },
      {
        cause: 'Too many requests wait on one connection.',
        cure: 'Wait for answers before sending more, or use more connections.',
      },
    ],
  },
  tooSmall: {
    status: 400,
    cause:
      'A number, text, list or date is smaller than its limit. An empty text is too small where one character is required.',
    cure: 'Send more; `detail` names the limit.',
  },
  unauthenticated: {
    status: 401,
    cause: 'The token is missing, unknown, revoked or expired.',
    cure: 'Send `Authorization: Bearer` followed by a valid token. The operator issues new ones.',
  },
  unrecognizedKeys: {
    status: 400,
    cause: 'A member or parameter is unknown, so it would have no effect.',
    cure: 'Remove it, or correct its name: `detail` suggests the nearest known one.',
  },
}
