export interface Named {
  id: string
  name: string
}

/** A transport agency whose regulations an order can be placed under. Agencies and job categories are fixed by regulation. */
export interface Agency extends Named {
  code: string
  regulation: string
  jobCategories: Named[]
}

function agency(code: string, name: string, regulation: string, jobCategories: string[] = []): Agency {
  return {
    id: code.toLowerCase(),
    code,
    name,
    regulation,
    jobCategories: jobCategories.map((category) => ({ id: slug(category), name: category })),
  }
}

const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** Sorted by name. */
export const AGENCIES: readonly Agency[] = [
  agency('FAA', 'Federal Aviation Administration', '14 CFR 120', [
    'Flight Crewmember',
    'Flight Attendant',
    'Flight Instructor',
    'Aircraft Dispatcher',
    'Aircraft Maintenance',
    'Ground Security Coordinator',
    'Aviation Screener',
    'Air Traffic Controller',
    'Operations Control Specialist',
  ]),
  agency('FMCSA', 'Federal Motor Carrier Safety Administration', '49 CFR 382'),
  agency('FRA', 'Federal Railroad Administration', '49 CFR 219', [
    'Engine Service',
    'Train Service',
    'Dispatcher/Operation',
    'Signal Service',
    'Maintenance-of-Way',
    'Mechanical',
    'Other',
  ]),
  agency('FTA', 'Federal Transit Administration', '49 CFR 655', [
    'Revenue Vehicle Operation',
    'Revenue Vehicle and Equipment Maintenance',
    'Revenue Vehicle Control/Dispatch',
    'CDL/Non-Revenue Vehicle',
    'Armed Security Personnel',
  ]),
  agency('PHMSA', 'Pipeline and Hazardous Materials Safety Administration', '49 CFR 199'),
  agency('USCG', 'United States Coast Guard', '46 CFR 16'),
]
