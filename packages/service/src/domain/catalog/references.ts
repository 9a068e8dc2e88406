import type { Address, CatalogAddress } from '@order-testing/contract'
import type { Agency, Named } from '@order-testing/contract/agencies'

/** The canonical path of a resource. Operators choose the ids, so each is encoded as one segment. */
const path = (...segments: string[]) => `/api/v2/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`

export const addressOf = (address: CatalogAddress | null): Address | null =>
  address && {
    city: address.city,
    country: address.country,
    line1: address.line1,
    line2: address.line2,
    object: 'address',
    postalCode: address.postalCode,
    state: address.state,
  }

export const agencyReference = ({ code, id }: Agency) =>
  ({ code, id, object: 'agency', url: path('agencies', id) }) as const

export const clinicReference = (clinic: Named & { address: CatalogAddress | null; phone: string | null }) =>
  ({
    address: addressOf(clinic.address),
    id: clinic.id,
    name: clinic.name,
    object: 'clinic',
    phone: clinic.phone,
    url: path('clinics', clinic.id),
  }) as const

export const companyReference = ({ id, name }: Named) =>
  ({ id, name, object: 'company', url: path('companies', id) }) as const

export const jobCategoryReference = (agency: Agency, { id, name }: Named) =>
  ({ id, name, object: 'jobCategory', url: path('agencies', agency.id, 'jobCategories', id) }) as const

export const locationReference = ({ id, name }: Named) =>
  ({ id, name, object: 'location', url: path('locations', id) }) as const

export const packageReference = ({ id, name }: Named) =>
  ({ id, name, object: 'package', url: path('packages', id) }) as const

export const serviceReference = ({ id, name, type }: Named & { type: string }) =>
  ({ id, name, object: 'service', type, url: path('services', id) }) as const

export const orderPath = (id: string) => path('orders', id)
