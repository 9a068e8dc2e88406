import type { NumberLimits } from '../../languages/en-catalog.ts'
import type { Words } from '../../languages/en.ts'
import { WEEKDAYS } from './hours.ts'
import type { Kind } from './entries.ts'

/** What a value may be, as far as it is known before the service is asked. */
export interface Limits extends NumberLimits {
  /** Of a text. */
  longest?: number
}

export interface FormField {
  /** Where the value is in the entry. */
  path: string
  label: string
  /** A choice has the values of the file; flags without a value follow the company or the default. */
  type: 'text' | 'number' | 'flag' | 'hours' | 'slotLength' | 'color' | 'lab' | 'clinic' | 'services' | 'packages'
  /** Whether it cannot be empty. */
  isRequired?: boolean
  limits?: Limits
}

type Group = [title: string, fields: FormField[]]

/** The common edits of an entry, by group. */
export function groupsOf(kind: Kind, { catalog: { fields, groups, weekdays } }: Words): Group[] {
  const text = (path: string, label: string): FormField => ({ path, label, type: 'text', limits: { longest: 255 } })
  const number = (path: string, label: string, limits: Limits): FormField => ({ path, label, type: 'number', limits })
  const flag = (path: string, label: string): FormField => ({ path, label, type: 'flag' })
  const general: FormField[] = [{ ...text('name', fields.name), isRequired: true }]
  if (kind === 'services' || kind === 'packages') general.push(text('names.es', fields.spanishName))
  if (kind === 'services')
    return [
      [groups.general, general],
      [
        groups.test,
        [
          { ...text('category', fields.category), isRequired: true },
          { ...text('type', fields.type), isRequired: true },
          { ...flag('isDot', fields.isDot), isRequired: true },
          flag('requiresMro', fields.requiresMro),
          { path: 'lab', label: fields.lab, type: 'lab' },
        ],
      ],
    ]
  const services: Group = [groups.services, [{ path: 'services', label: fields.services, type: 'services' }]]
  const packages: Group = [groups.packages, [{ path: 'packages', label: fields.packages, type: 'packages' }]]
  if (kind === 'packages') return [[groups.general, general], services]
  general.push(text('phone', fields.phone))
  if (kind === 'clinics')
    return [
      [groups.general, [...general, text('email', fields.email), number('fee', fields.fee, { least: 0 })]],
      [
        groups.appointments,
        [
          { path: 'slots.minutes', label: fields.slotLength, type: 'slotLength' },
          number('slots.capacity', fields.capacity, { least: 1, most: 100, isWhole: true }),
          flag('walkIns', fields.walkIns),
        ],
      ],
      services,
      [groups.hours, WEEKDAYS.map((day) => ({ path: `hours.${day}`, label: weekdays[day], type: 'hours' as const }))],
    ]
  const settings: FormField[] = [
    number('settings.clinicFeeCap', fields.clinicFeeCap, { least: 0 }),
    number('settings.clinicRadiusMiles', fields.clinicRadiusMiles, { above: 0, most: 500 }),
    number('settings.expiresIn', fields.expiresIn, { above: 0, most: 100_000 }),
    { path: 'settings.configuredClinic', label: fields.configuredClinic, type: 'clinic' },
    text('settings.backgroundProvider', fields.backgroundProvider),
    flag('settings.billingCodeRequired', fields.billingCodeRequired),
    flag('settings.clinicEmails', fields.clinicEmails),
    flag('settings.confirmIdentity', fields.confirmIdentity),
  ]
  const branding: FormField[] = [
    { path: 'branding.accent', label: fields.accent, type: 'color' },
    text('branding.helpPhone', fields.helpPhone),
    text('branding.helpEmail', fields.helpEmail),
    text('branding.privacyUrl', fields.privacyUrl),
  ]
  return [
    [groups.general, general],
    [groups.settings, settings],
    packages,
    ...(kind === 'companies' ? [[groups.branding, branding] as Group] : []),
  ]
}
