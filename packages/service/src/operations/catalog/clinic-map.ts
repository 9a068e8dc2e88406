import type * as contract from '@order-testing/contract/operator'
import { toPoint } from '../../domain/places/postal-places.ts'
import { ok, type Operation } from '../operation.ts'

/** More dots than this cannot be told apart. */
const MOST_DOTS = 5_000

export const readClinicMap: Operation<typeof contract.readClinicMap> = async (_input, { caller, store }) => {
  // Loaded at the first use: few processes ever draw the map.
  const { COUNTRY, countryOutline, onCountryMap } = await import('../../domain/places/country-map.ts')
  const located = await store.clinics.positions(caller.tenantId, MOST_DOTS + 1)
  const clinics = located.slice(0, MOST_DOTS).flatMap(({ id, isActive, position }) => {
    const spot = onCountryMap(toPoint(position))
    return spot ? [{ id, isActive, ...spot }] : []
  })
  const isMore = located.length > MOST_DOTS
  return ok({ object: 'clinicMap', ...COUNTRY, states: countryOutline(), clinics, isMore })
}
