import type { OrderService } from '../orders/order.ts'
import type { Speaker } from './senders.ts'
import { servicesOf, type PanelReading } from './target.ts'

/** Whether neither the catalog nor an operator said what the speaker means by a code. */
export const isUnknownCode = (reading: PanelReading, speaker: Speaker): boolean =>
  !reading.isService && servicesOf(reading, speaker).length === 0 && speaker.labs?.length !== 0

/** The laboratories whose code the speaker's code for this service is. */
export function labsOfCode({ labs, id }: Speaker, { lab }: Pick<OrderService, 'lab'>): readonly string[] {
  if (labs === null) return [id]
  return lab !== null && labs.includes(lab.id) ? [lab.id] : labs
}
