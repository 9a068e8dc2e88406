import { InvalidArgumentError, Option, type Command } from 'commander'
import type { ClinicDay, OpenBooking, Rebooking } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { readTime, withPaging, type PageOptions } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { bold, dim, paintState } from '../output/colors.ts'
import { show } from '../output/print.ts'
import { escapeControls, pageTable, table, type Found } from '../output/table.ts'

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
    .description('List open bookings, next appointment first. Move them with "ots bookings rebook".')
    .option('--clinic <id>', 'only bookings at this clinic')
    .addOption(new Option('--inactive', 'only bookings at inactive clinics').conflicts('clinic'))
    .action(async ({ clinic: clinicId, inactive, limit, page, ...options }: ListOptions) => {
      if (clinicId === undefined && !inactive) throw new ApiRefusal('Give a clinic with --clinic, or use --inactive.')
      const query = { clinicId, isActive: inactive && 'false', limit, page }
      const found = await new Api(options).ask('listBookings', { query })
      show(found, bookingsText)
    })

  withExamples(
    withPaging(withService(bookings.command('day'))),
    'ots bookings day',
    'ots bookings day 2027-03-04 --clinic clinic-blue-river',
  )
    .description('Show the bookings of a day. With a clinic, also its slots and how many are taken.')
    .argument('[date]', 'date in the zone of each clinic, such as 2027-03-04 (default: today)')
    .option('--clinic <id>', 'the slots and bookings of this clinic')
    .action(async (given: string | undefined, { clinic: id, limit, page, ...options }: ListOptions) => {
      const date = given ?? today()
      const api = new Api(options)
      if (id === undefined) show(await api.ask('listBookings', { query: { date, limit, page } }), bookingsText)
      else show(await api.ask('readClinicDay', { params: { id }, query: { date } }), dayText)
    })

  withExamples(
    withService(bookings.command('rebook')),
    'ots bookings rebook K7M4-2QXD=clinic-blue-river P3WT-9HC4=clinic-katy',
    'ots bookings rebook K7M4-2QXD=clinic-blue-river@2027-03-04T15:00Z',
  )
    .description('Book a clinic for each of up to 100 orders. Exit code 1 if one is refused.')
    .argument('<bookings...>', 'order, clinic and time: <order>=<clinic>[@<time>]', readPlacement)
    .option('--override', 'book despite fee, opening hours and full slots; requires --reason')
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (orders: Placement[], { override, reason, ...options }: RebookOptions) => {
      const done = await new Api(options).ask('rebookOrders', { body: { orders, override, reason } })
      show(done, rebookedText)
      if (done.data.some(({ outcome }) => outcome === 'refused')) process.exitCode = 1
    })
}

interface RebookOptions extends ApiOptions {
  override?: true
  reason?: string
}

interface Placement {
  id: string
  clinicId: string
  at?: string
}

/** Reads `K7M4-2QXD=clinic-blue-river@2027-03-04T15:00Z`; without a time the participant may come at any time. */
function readPlacement(text: string, before: Placement[] = []): Placement[] {
  const [, id, clinicId, at] = /^([^=]+)=([^@]+)(?:@(.+))?$/.exec(text) ?? []
  if (id === undefined || clinicId === undefined)
    throw new InvalidArgumentError('Expected <order>=<clinic> or <order>=<clinic>@<time>.')
  return [...before, { id, clinicId, ...(at !== undefined && { at: readTime(at).toISOString() }) }]
}

const rebookedText = ({ data }: { data: Rebooking[] }) =>
  table(
    data.map(({ orderId, outcome, clinicId, appointmentAt, problems }) => [
      escapeControls(orderId),
      paintState(outcome),
      escapeControls(clinicId),
      appointmentAt === null ? 'any time' : dim(appointmentAt),
      escapeControls(problems.map(({ detail }) => detail).join(' ')),
    ]),
    { head: ['Order', 'Outcome', 'Clinic', 'Appointment', 'Why not'] },
  )

/** The date of the person at the terminal. */
const today = () => new Intl.DateTimeFormat('sv-SE').format(new Date())

const dayText = ({ clinic, date, zone, slots, bookings, isMore }: ClinicDay) =>
  [
    `${bold(escapeControls(clinic.name))} on ${date} (${zone})`,
    ...(slots ? [slotsText(slots)] : []),
    bookings.length === 0
      ? 'No appointments.'
      : table(
          bookings.map(({ code, status, appointmentAt, company }) => [
            dim(appointmentAt ?? ''),
            code,
            paintState(status),
            escapeControls(company.name),
          ]),
          { head: ['Appointment', 'Order', 'Status', 'Company'] },
        ),
    ...(isMore ? ['There are more appointments.'] : []),
  ].join('\n\n')

function slotsText(slots: NonNullable<ClinicDay['slots']>): string {
  if (slots.length === 0) return 'Closed.'
  return table(
    slots.map(({ time, capacity, taken }) => [
      time,
      `${taken} of ${capacity}`,
      `${Math.max(0, capacity - taken)} free`,
    ]),
    { head: ['Slot', 'Taken', ''] },
  )
}

const bookingsText = (found: Found<OpenBooking>) =>
  pageTable(found, ['booking', 'bookings'], {
    head: ['Order', 'Status', 'Appointment', 'Clinic', 'Company and location'],
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
