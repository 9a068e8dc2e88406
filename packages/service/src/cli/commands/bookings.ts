import { Option, type Command } from 'commander'
import type { OpenBooking } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { dim, paintState } from '../output/colors.ts'
import { show } from '../output/print.ts'
import { escapeControls, pageTable, type Found } from '../output/table.ts'

interface ListOptions extends ApiOptions, PageOptions {
  clinic?: string
  inactive?: true
}

export function define(bookings: Command): void {
  withExamples(
    withPaging(withService(bookings.command('list'))),
    'ots bookings list --inactive',
    'ots bookings list --clinic clinic-blue-river --limit 5',
  )
    .description('List open bookings, next appointment first. Rebook with "ots orders book".')
    .option('--clinic <id>', 'only bookings at this clinic')
    .addOption(new Option('--inactive', 'only bookings at inactive clinics').conflicts('clinic'))
    .action(async ({ clinic: clinicId, inactive, limit, page, ...options }: ListOptions) => {
      if (clinicId === undefined && !inactive) throw new ApiRefusal('Give a clinic with --clinic, or use --inactive.')
      const query = { clinicId, isActive: inactive && 'false', limit, page }
      const found = await new Api(options).ask('listBookings', { query })
      show(found, bookingsText)
    })
}

const bookingsText = (found: Found<OpenBooking>) =>
  pageTable(found, ['booking', 'bookings'], {
    empty: 'No open bookings.',
    order: 'next appointment first',
    row: ({ code, status, appointmentAt, clinic, company, location }) => [
      code,
      paintState(status),
      appointmentAt === null ? 'any time' : dim(appointmentAt),
      escapeControls(`${clinic.name} (${clinic.id}${clinic.isActive ? '' : ', inactive'})`),
      escapeControls(`${company.name}, ${location.name}`),
    ],
  })
