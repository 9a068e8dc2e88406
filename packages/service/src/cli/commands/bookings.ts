import { Option, type Command } from 'commander'
import type { OpenBooking } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { readCountFrom } from '../option-values.ts'
import { pageText, table, visible } from '../output/table.ts'

interface ListOptions extends ApiOptions {
  clinic?: string
  inactive?: true
  limit: number
  page: number
  json?: boolean
}

export function addBookingsCommand(ots: Command, print: (text: string) => void): void {
  const bookings = ots.command('bookings').description('look at open bookings, over the API of a running service')

  withService(bookings.command('list'))
    .description('list open bookings, the next appointment first; "ots orders book" books anew')
    .option('--clinic <id>', 'those at this clinic')
    .addOption(new Option('--inactive', 'those at all clinics that were switched off').conflicts('clinic'))
    .option('--limit <number>', 'bookings a page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 10_000), 1)
    .option('--json', 'as JSON')
    .action(async ({ clinic: clinicId, inactive, limit, page, json, ...options }: ListOptions) => {
      if (clinicId === undefined && !inactive) throw new ApiRefusal('Name a clinic with --clinic, or say --inactive.')
      const query = { clinicId, isActive: inactive && 'false', limit, page }
      const found = await new Api(options).ask('listBookings', { query })
      print(json ? JSON.stringify(found, null, 2) : bookingsText(found))
    })
}

interface Found {
  data: OpenBooking[]
  limit: number
  page: number
  total: number
}

function bookingsText({ data, limit, page, total }: Found): string {
  if (total === 0) return 'There are no open bookings.'
  const counted = { page, limit, total, count: data.length }
  const where = pageText(counted, ['booking', 'bookings'], 'the next appointment first')
  if (data.length === 0) return where
  const rows = data.map(({ code, status, appointmentAt, clinic, company, location }) => [
    code,
    status,
    appointmentAt ?? 'any time',
    visible(`${clinic.name} (${clinic.id}${clinic.isActive ? '' : ', switched off'})`),
    visible(`${company.name}, ${location.name}`),
  ])
  return `${table(rows)}\n\n${where}`
}
