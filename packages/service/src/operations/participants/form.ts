import { FILTERS, type ClinicFilters, type Values } from '@order-testing/pages'
import type { HelpFields } from '../../domain/participants/help.ts'
import type { AnswerFields } from '../../domain/participants/identity.ts'

/** The fields of a form or of an address. */
export type Form = Values & {
  readonly step?: string | undefined
  /** `yes` to replace a booking. */
  readonly change?: string | undefined
  /** What was entered so far, sealed: the browser keeps it in a cookie. */
  readonly draft?: string | undefined
  /** The detail to change; in a form, what was typed is then kept and not checked. */
  readonly edit?: string | undefined
  /** The language to switch to, which keeps what was typed. */
  readonly lang?: string | undefined
  /** The text that was answered, by its hash. */
  readonly shown?: string | undefined
  /** When what the form shows was last saved. */
  readonly seen?: string | undefined
  readonly helpNote?: string | undefined
  /** The date whose slots are shown, and the week in which the list of days begins. */
  readonly day?: string | undefined
  readonly week?: string | undefined
  /** The chosen slot or arrival as an instant, or `walkIn`. */
  readonly slot?: string | undefined
  /** The booking that a confirmed change replaces. */
  readonly confirm?: string | undefined
  /** The step that the question on a new device interrupted. */
  readonly next?: string | undefined
} & AnswerFields &
  Readonly<HelpFields> & { readonly [name in (typeof FILTERS)[number]]?: string | undefined }

/** Which clinics the reader wants listed. */
export const filtersOf = (form: Form) =>
  Object.fromEntries(FILTERS.map((name) => [name, form[name] === 'yes'])) as ClinicFilters
