import { CreateOrder, parsePartly, type Order as PresentedOrder } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import {
  agencyReference,
  clinicReference,
  jobCategoryReference,
  locationReference,
  packageReference,
  serviceReference,
} from '../../domain/catalog/references.ts'
import { resolveOrder } from '../../domain/orders/create.ts'
import { canonicalAddress } from '../../domain/webhooks/callbacks.ts'
import { ok, type RawOperation } from '../operation.ts'
import { checkRegistration } from '../webhooks/register.ts'
import { allowedMatching, checkRequest, respondToMatch } from './create.ts'
import { newOrder } from './new-order.ts'
import { findMatch } from './place-unmatched.ts'

/** What a create with the same body would do. Writes nothing. */
export const validateOrder: RawOperation<typeof contract.validateOrder> = async (input, outer) => {
  const at = outer.now()
  const context = { ...outer, now: () => at }
  const { request, facts, clinic } = await checkRequest(parsePartly(CreateOrder, input.body), input.faults, context)
  const resolved = resolveOrder(request, facts, at)
  const order = newOrder({ request, resolved, clinic, source: 'api' }, context)
  const matching = allowedMatching(resolved.matching, context.caller)
  const match = matching.enabled ? await findMatch(order, matching, context) : undefined
  if (match && request.callback)
    await checkRegistration(match.order.id, canonicalAddress(request.callback.url), context)
  const { location, package: pkg, agency, jobCategory } = resolved
  const answered = match?.order ?? order
  return ok({
    object: 'orderValidation',
    location: locationReference(location),
    package: packageReference(pkg),
    services: pkg.services.map((service) => ({
      ...serviceReference(service),
      attributes: { category: service.category, type: service.type },
      isDot: service.isDot,
    })),
    agency: agency && agencyReference(agency),
    jobCategory: agency && jobCategory && jobCategoryReference(agency, jobCategory),
    clinic: answered.clinic && clinicReference(answered.clinic),
    expiresAt: answered.expiresAt?.toISOString() ?? null,
    match: match
      ? (JSON.parse(respondToMatch(match, { order, matching }, context.caller).text) as PresentedOrder)
      : null,
  })
}
