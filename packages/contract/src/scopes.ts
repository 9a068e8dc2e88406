/** What a token may do; each endpoint names the one scope it asks for. */
export const SCOPES = [
  'order.create',
  'order.read',
  'order.participant.read',
  'order.list',
  'order.cancel',
  'agency.list',
  'agency.read',
  'agency.jobCategories.read',
  'clinic.list',
  'clinic.read',
  'clinic.search',
  'company.list',
  'company.read',
  'location.list',
  'location.read',
  'package.list',
  'package.read',
  'service.list',
  'service.read',
] as const

export type Scope = (typeof SCOPES)[number]
