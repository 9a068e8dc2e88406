import type { Order } from '../orders/order.ts'
import { wrongDigits } from './identifier.ts'
import {
  DETAIL_PAGES,
  fieldsOf,
  GROUPS,
  PAGE_NAMES,
  type DetailError,
  type DetailField,
  type DetailGroup,
  type DetailPage,
  type DetailValues,
} from './detail-fields.ts'
import { findMissing, identifierAsked, readDetails } from './form.ts'

export const AGREEMENT_KINDS = ['notice', 'consent', 'disclosure', 'authorization'] as const
export type AgreementKind = (typeof AGREEMENT_KINDS)[number]

/** An answer to a text, before it is stored. */
export interface Given {
  /** Of the text that was shown. */
  hash: string
  language: NonNullable<Order['language']>
  /** In milliseconds. */
  at: number
  /** The signature: the name as typed, and the date in the person's zone. */
  name?: string
  date?: string
}

/** What a participant has entered so far. It travels sealed, in a cookie. */
export interface Draft {
  values: DetailValues
  /** The pages that were submitted: what is wrong on them is shown. */
  sent: readonly DetailPage[]
  /** When each page was last saved, in milliseconds, so that two tabs do not overwrite each other unseen. */
  savedAt?: { readonly [page in DetailPage]?: number }
  /** How many digits a Social Security number of a wrong length had, which is not kept. */
  digits?: number
  /** Whether the details were confirmed. */
  isChecked: boolean
  agreed: { readonly [kind in AgreementKind]?: Given }
  /** The typed name of an authorization that is not signed yet. */
  signature?: string
  /** What was wrong with the last answer to a text. */
  fault?: { field: 'consent' | 'signature'; fault: 'missing' | 'wrong' | 'tooLong' }
}

export const EMPTY_DRAFT: Draft = { values: {}, sent: [], isChecked: false, agreed: {} }

/** The pages with something that nobody has entered before. */
export function neededPages(order: Order): DetailPage[] {
  const missing = findMissing(order)
  return PAGE_NAMES.filter((page) => DETAIL_PAGES[page].some((group: DetailGroup) => missing.has(group)))
}

/** What is wrong on a page, as far as it was submitted. */
export function errorsOn(page: DetailPage, { values, sent, digits }: Draft, order: Order, now: Date): DetailError[] {
  const details = sent.includes(page) ? readDetails(values, order, now) : []
  if (!Array.isArray(details)) return []
  const fields = new Set<DetailField>(fieldsOf(page))
  return details
    .filter(({ field }) => fields.has(field))
    .map((error) =>
      error.field === 'identifierValue' && error.fault === 'missing' && digits !== undefined
        ? { field: error.field, fault: 'digits', count: digits }
        : error,
    )
}

/** The first page that has to be filled in or corrected. */
export const firstUnfinished = (draft: Draft, order: Order, now: Date): DetailPage | undefined => {
  const needed = neededPages(order)
  return PAGE_NAMES.find(
    (page) => (needed.includes(page) && !draft.sent.includes(page)) || errorsOn(page, draft, order, now).length > 0,
  )
}

/**
 * Takes the fields of a page into the draft. A field that the page did not have stays as it was. Details that change have to be
 * confirmed again.
 */
export function fillPage(
  draft: Draft,
  page: DetailPage,
  form: DetailValues,
  { order, isSent, now }: { order: Order; isSent: boolean; now: Date },
): Draft {
  const fields = fieldsOf(page)
  const isBoxed = GROUPS.birthDate.some((field) => field !== 'birthDate' && form[field])
  const typed = Object.fromEntries(
    fields.flatMap((field) => (form[field] === undefined ? [] : [[field, form[field] || undefined]])),
  ) as DetailValues
  const values: DetailValues = { ...draft.values, ...typed, ...(isBoxed && { birthDate: undefined }) }
  const type = identifierAsked(order) === 'driverLicense' ? 'driverLicense' : values.identifierType
  const digits = wrongDigits(type, values.identifierValue ?? '')
  const sent = new Set(draft.sent)
  if (isSent) sent.add(page)
  const { notice: _notice, consent: _consent, ...agreed } = draft.agreed
  const { digits: earlier, fault: _fault, ...rest } = draft
  const kept = form.identifierValue === undefined ? earlier : digits
  return {
    ...rest,
    values: digits === undefined ? values : { ...values, identifierValue: undefined },
    sent: [...sent],
    savedAt: { ...draft.savedAt, [page]: now.getTime() },
    ...(kept !== undefined && { digits: kept }),
    isChecked: false,
    agreed,
  }
}

/** When a page was last saved, or any page; 0 if never. */
export const lastSaved = ({ savedAt = {} }: Draft, page?: DetailPage): number =>
  page ? (savedAt[page] ?? 0) : Math.max(0, ...Object.values(savedAt))

/** Whether another tab has saved since the reader saw what they answer. */
export const isOutdated = (seen: string | undefined, saved: number): boolean =>
  seen !== undefined && /^\d+$/.test(seen) && Number(seen) < saved

/** Whether two drafts have the same details. */
export const hasSameValues = (one: Draft, other: Draft): boolean =>
  Object.values(GROUPS)
    .flat()
    .every((field) => (one.values[field] ?? '') === (other.values[field] ?? ''))

/** Forgets the identifier, to ask for another. */
export const withoutIdentifier = (draft: Draft): Draft => ({
  ...draft,
  values: { ...draft.values, identifierValue: undefined },
})
