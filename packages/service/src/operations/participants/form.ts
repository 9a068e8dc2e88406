import type { Values } from '@order-testing/pages'
import type { AnswerFields } from '../../domain/participants/identity.ts'
import type { FILTERS } from './views.ts'

/** The fields of a form or of an address. */
export type Form = Values &
  AnswerFields & {
    readonly step?: string | undefined
    /** `yes` to replace a booking. */
    readonly change?: string | undefined
    /** The details of an order to complete, sealed. */
    readonly draft?: string | undefined
    /** The date whose slots are shown, and the week in which the list of days begins. */
    readonly day?: string | undefined
    readonly week?: string | undefined
    /** The chosen slot or arrival, as an instant. */
    readonly slot?: string | undefined
    /** The step that the question on a new device interrupted. */
    readonly next?: string | undefined
  } & { readonly [name in (typeof FILTERS)[number]]?: string | undefined }
