/** What a number may be. */
export interface NumberLimits {
  least?: number
  /** The value itself is not allowed. */
  above?: number
  most?: number
  isWhole?: boolean
}

/** "A whole number from 1 to 100." */
function numberNote({ least, above, most, isWhole }: NumberLimits): string {
  const kind = isWhole ? 'A whole number' : 'A number'
  const from = above === undefined ? least : `more than ${above}`
  if (from === undefined) return most === undefined ? `${kind}.` : `${kind} of at most ${most.toLocaleString('en-US')}.`
  if (most === undefined) return above === undefined ? `${kind} of at least ${from}.` : `${kind} ${from}.`
  return above === undefined
    ? `${kind} from ${from} to ${most.toLocaleString('en-US')}.`
    : `${kind} ${from}, up to ${most.toLocaleString('en-US')}.`
}

export const catalog = {
  title: 'Catalog',
  kinds: {
    companies: 'Companies',
    locations: 'Locations',
    packages: 'Packages',
    services: 'Services',
    clinics: 'Clinics',
  },
  find: 'Name, id, city or company',
  state: 'State',
  states: { all: 'All', active: 'Active', inactive: 'Inactive' },
  detail: 'Detail',
  id: 'Id',
  empty: 'No entry matches',
  emptyDetail: 'Change the text or show inactive entries, too.',
  active: 'Active',
  groups: {
    general: 'General',
    appointments: 'Appointments',
    hours: 'Opening hours',
    settings: 'Settings',
    branding: 'Branding',
    test: 'Test',
    services: 'Services',
    packages: 'Packages',
  },
  fields: {
    name: 'Name',
    phone: 'Phone',
    email: 'E-mail for booked times',
    fee: 'Fee in dollars',
    slotLength: 'Slots',
    capacity: 'People per slot',
    walkIns: 'Walk-ins',
    clinicFeeCap: 'Fee cap in dollars',
    clinicRadiusMiles: 'Radius in miles',
    expiresIn: 'Expires after',
    configuredClinic: 'Configured clinic',
    backgroundProvider: 'Background provider',
    billingCodeRequired: 'Billing code required',
    clinicEmails: 'E-mails to clinics',
    confirmIdentity: 'Confirm identity',
    accent: 'Accent color',
    helpPhone: 'Help phone',
    helpEmail: 'Help e-mail',
    privacyUrl: 'Privacy notice',
    spanishName: 'Name in Spanish',
    category: 'Category',
    type: 'Type',
    isDot: 'DOT',
    requiresMro: 'Medical review',
    lab: 'Laboratory',
    services: 'Services',
    packages: 'Packages offered',
  },
  weekdays: {
    mon: 'Monday',
    tue: 'Tuesday',
    wed: 'Wednesday',
    thu: 'Thursday',
    fri: 'Friday',
    sat: 'Saturday',
    sun: 'Sunday',
  },
  choices: { '': 'Not set', true: 'Yes', false: 'No', 15: 'Every 15 min', 30: 'Every 30 min' } as Record<
    string,
    string
  >,
  closed: 'Closed',
  wrong: {
    text: 'This cannot be empty.',
    long: (longest: number, length: number) => `At most ${longest} characters; these are ${length}.`,
    number: numberNote,
    hours: 'Expected times such as 08:00-12:00, 13:00-17:00.',
    color: 'Expected a color such as #0B5D5B.',
  },
  was: (value: string) => `was ${value}`,
  units: { days: 'days', hours: 'hours' },
  asInherited: (value: string) => `As inherited: ${value}`,
  inheritedChoice: (owner: string) => `As ${owner} has it. A choice here replaces it for this location.`,
  follow: (owner: string) => `Use the choice of ${owner} again`,
  inherited: (owner: string, value: string) => `${value}, from ${owner}`,
  overrides: (owner: string, value: string) => `instead of ${value} from ${owner}`,
  preview: 'Head of the participant pages',
  hostedLogo: (address: string) => `The logo is loaded from ${address}, and not shown here.`,
  chosen: (count: number, all: number) => `${count} of ${all}`,
  map: {
    view: 'View',
    map: 'Map',
    list: 'List',
    title: (count: number) => `Map of ${count} ${count === 1 ? 'clinic' : 'clinics'}. The list below has the same.`,
    selected: 'Selected',
    closer: 'Closer',
    farther: 'Farther',
  },
  unsaved: 'Unsaved changes',
  difference: 'Difference',
  changes: (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`,
  actions: { add: 'add', change: 'change', deactivate: 'switch off' } as Record<string, string>,
  more: (count: number) => `and ${count} more`,
  openBookings: (count: number) =>
    `${count} open ${count === 1 ? 'booking' : 'bookings'} at clinics that it switches off.`,
  openOrders: (count: number) =>
    `${count} open ${count === 1 ? 'order' : 'orders'} of companies that it switches off. They go on; no new ones can be placed.`,
  whoIsAffected: 'Who is affected',
  affected: (count: number) =>
    count === 0 ? 'no booking' : `${count} ${count === 1 ? 'booking loses its place' : 'bookings lose their place'}`,
  clinicOff: 'Clinic switched off',
  closedThen: 'Closed then',
  apply: 'Apply',
  applyAndRebook: 'Apply and rebook',
  applied: (name: string) => `${name} changed`,
  discard: 'Discard',
  meanwhile: 'Somebody else changed the catalog meanwhile. Nothing of yours was applied.',
  loadAgain: 'Load the catalog again',
  importButton: 'Import file',
  importFile: 'Import a catalog file',
  typeSwitchedOff: (count: number) => `This switches off ${count} entries. Type ${count} to apply it`,
  importNote: 'The file replaces the catalog. Entries that it does not contain are switched off, not deleted.',
  imported: 'Catalog file applied',
  notJson: 'The file is not JSON. Nothing was changed.',
  exportButton: 'Export',
}
