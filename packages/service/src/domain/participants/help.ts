import { HELP_REASONS } from '@order-testing/contract/operator'
import { openBookingOf, servicesToAttend } from '../bookings/bookings.ts'
import { changeTime, restate } from '../orders/life.ts'
import type { Order, Participant } from '../orders/order.ts'
import { isBeforeCheckIn } from '../orders/statuses.ts'
import { deliveryFor } from './contact.ts'

export type HelpReason = (typeof HELP_REASONS)[number]

/** What a request for help says. */
export interface HelpDetails {
  /** Where they looked for clinics. */
  place: string | null
  /** How far they can go. */
  miles: number | null
  note: string | null
}

export interface HelpFields {
  helpReason?: string | undefined
  helpMiles?: string | undefined
  helpNote?: string | undefined
  place?: string | undefined
}

/** Who declines says so on a page of its own. */
const ASKED = HELP_REASONS.filter((reason) => reason !== 'declined')
const MOST_MILES = 500
const LONGEST_PLACE = 200
const LONGEST_NOTE = 1_000
const BETWEEN_NOTES = '\n\n'
/** Of all notes together: room for at least four. The oldest go first. */
const LONGEST_NOTES = 4 * LONGEST_NOTE + 3 * BETWEEN_NOTES.length

/** Reads a request for help. Nothing in it is required: a person in need of help is not sent back to a form. */
export function readHelp(fields: HelpFields): { reason: HelpReason; details: HelpDetails } {
  const miles = Number(fields.helpMiles)
  return {
    reason: ASKED.find((reason) => reason === fields.helpReason) ?? 'other',
    details: {
      place: textOf(fields.place, LONGEST_PLACE),
      miles: Number.isInteger(miles) && miles > 0 && miles <= MOST_MILES ? miles : null,
      note: noteOf(fields.helpNote),
    },
  }
}

/** What is said now, after what was said before and is still open. A note that is sent twice is kept once. */
export function addNote(before: HelpDetails, now: HelpDetails): HelpDetails {
  const earlier = before.note?.split(BETWEEN_NOTES) ?? []
  const notes = now.note === null || earlier.includes(now.note) ? earlier : [...earlier, now.note]
  while (notes.join(BETWEEN_NOTES).length > LONGEST_NOTES) notes.shift()
  return {
    place: now.place ?? before.place,
    miles: now.miles ?? before.miles,
    note: notes.join(BETWEEN_NOTES) || null,
  }
}

/** Whether somebody can be helped to find a clinic: one is needed, and none is booked. */
export const canAskForHelp = (order: Order) => servicesToAttend(order).length > 0 && !openBookingOf(order)

/** Keeps the details that the participant has entered, before a clinic is booked. */
export const saveDetails = (order: Order, participant: Participant, now: Date): Order =>
  restate({ ...order, participant, delivery: deliveryFor(order, participant) }, changeTime(order, now))

/** Whether a change ends the need for help: a clinic was booked, or the order has ended. */
export const endsHelp = (before: Order, after: Order) => canAskForHelp(before) && !canAskForHelp(after)

/** Whether after a change nothing is left to agree to. */
export const endsDecline = (before: Order, after: Order) => isOpen(before) && !isOpen(after)

/** Whether a service has not started, so that it can be agreed to. */
const isOpen = ({ services }: Order) => services.some(({ status }) => isBeforeCheckIn(status))

export const noteOf = (text: string | undefined) => textOf(text, LONGEST_NOTE)

const textOf = (text: string | undefined, longest: number) => text?.trim().slice(0, longest) || null
