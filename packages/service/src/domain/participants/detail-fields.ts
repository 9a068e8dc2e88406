/** What is asked for together, in the order of the form, with its fields. */
export const GROUPS = {
  birthDate: ['birthMonth', 'birthDay', 'birthYear', 'birthDate'],
  identifier: ['identifierType', 'identifierValue', 'identifierState'],
  email: ['email'],
  phone: ['phone'],
  address: ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
} as const

export type DetailGroup = keyof typeof GROUPS
export type DetailField = (typeof GROUPS)[DetailGroup][number]
export type DetailValues = { readonly [name in DetailField]?: string | undefined }

/** The pages of the form. */
export const DETAIL_PAGES = {
  you: ['birthDate', 'identifier'],
  contact: ['email', 'phone'],
  address: ['address'],
} as const satisfies Record<string, readonly DetailGroup[]>

export type DetailPage = keyof typeof DETAIL_PAGES

export const PAGE_NAMES = Object.keys(DETAIL_PAGES) as DetailPage[]

export interface DetailError {
  field: DetailField
  fault: 'missing' | 'wrong' | 'tooLong' | 'digits' | 'noSuchDay' | 'future'
  /** How many digits were entered. */
  count?: number
}

export const fieldsOf = (page: DetailPage): DetailField[] =>
  DETAIL_PAGES[page].flatMap((group): readonly DetailField[] => GROUPS[group])
