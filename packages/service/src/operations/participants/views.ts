import type { ClinicCard, PassView } from '@order-testing/pages'

export interface ZonedPass extends PassView {
  /** The zone of all times on the page, in the file and in the calendar. */
  zone: string
  clinic: ClinicCard | null
}
