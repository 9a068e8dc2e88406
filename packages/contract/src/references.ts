import { z } from 'zod'
import { Address } from './address.ts'
import { Path } from './primitives.ts'

/** How a resource appears inside another one. */
const reference = <T extends string>(object: T) => ({ id: z.string(), object: z.literal(object), url: Path })
const named = <T extends string>(object: T) => ({ ...reference(object), name: z.string() })

export const AgencyReference = z
  .object({ ...reference('agency'), code: z.string().describe('The abbreviation used in regulations.') })
  .meta({ id: 'AgencyReference' })

export const ClinicReference = z
  .object({ ...named('clinic'), address: Address.nullable(), phone: z.string().nullable() })
  .meta({ id: 'ClinicReference' })

export const CompanyReference = z.object(named('company')).meta({ id: 'CompanyReference' })

export const JobCategoryReference = z.object(named('jobCategory')).meta({ id: 'JobCategoryReference' })

export const LocationReference = z.object(named('location')).meta({ id: 'LocationReference' })

export const PackageReference = z.object(named('package')).meta({ id: 'PackageReference' })

export const ServiceReference = z
  .object({ ...named('service'), type: z.string().describe('Such as urine, breath or dotPhysical.') })
  .meta({ id: 'ServiceReference' })
