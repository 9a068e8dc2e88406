import type { FILTERS, Values } from '@order-testing/pages'
import type { HelpFields } from '../../domain/participants/help.ts'

/** The fields of a form or of an address. */
export type Form = Values & {
  readonly step?: string | undefined
  /** `yes` to replace a booking. */
  readonly change?: string | undefined
  /** The details of an order to complete, sealed. */
  readonly draft?: string | undefined
  /** The date whose slots are shown, and the week in which the list of days begins. */
  readonly day?: string | undefined
  readonly week?: string | undefined
  /** The chosen slot or arrival as an instant, or `walkIn`. */
  readonly slot?: string | undefined
  /** The booking that a confirmed change replaces. */
  readonly confirm?: string | undefined
} & Readonly<HelpFields> & { readonly [name in (typeof FILTERS)[number]]?: string | undefined }
