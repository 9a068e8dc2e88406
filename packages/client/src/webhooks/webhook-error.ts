/**
 * Why a delivery was refused.
 *
 * | reason | meaning |
 * |-|-|
 * | `missingSignature` | there is no signature header |
 * | `malformedSignature` | the header is none that the service sends |
 * | `bodyNotRaw` | a parsed body was passed instead of the bytes |
 * | `bodyChanged` | the body is not what was signed: parsed and serialised again, or cut off |
 * | `wrongSecret` | the secret is not the callback's `secretKey`, or the sender is somebody else |
 * | `clockSkew` | signed by the service, but too long ago or in the future |
 * | `versionMismatch` | signature and body belong to different versions |
 * | `malformedBody` | the body is no delivery |
 */
export type WebhookRefusal =
  | 'missingSignature'
  | 'malformedSignature'
  | 'bodyNotRaw'
  | 'bodyChanged'
  | 'wrongSecret'
  | 'clockSkew'
  | 'versionMismatch'
  | 'malformedBody'

/** A delivery that must not be trusted. The message is for your logs, not for the sender. */
export class WebhookError extends Error {
  override name = 'WebhookError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}
