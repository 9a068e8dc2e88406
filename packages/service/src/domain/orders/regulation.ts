import { OTHER_TEST_REASONS, type Problem } from '@order-testing/contract'
import type { Agency } from '@order-testing/contract/agencies'
import { problemAt, underRegulation } from '../refusal.ts'
import { checkFound, findAgency, findJobCategory, valueOf, type Draft, type ServiceFacts } from './references.ts'

type Services = readonly ServiceFacts[]

/** Agencies whose custody form has the job category of the participant. */
const AGENCIES_WITH_JOBS = new Set(['FAA', 'FRA', 'FTA'])
const AGENCY_WITH_LICENSE = 'FMCSA'
/** Collections that are directly observed. */
const OBSERVED_REASONS = new Set(['returnToDuty', 'followUp'])
const FREE_REASON_CATEGORIES = new Set(['drug', 'alcohol', 'occupationalHealth'])

/** The rules of the transport agencies. `services` is undefined if the package is unknown. */
export function checkRegulation(draft: Draft, services: Services | undefined): Problem[] {
  const agency = valueOf(findAgency(draft.agency))
  return [
    ...checkAgency(draft, services),
    ...checkJobCategory(draft, services, agency),
    ...checkOtherReason(draft, services),
    ...checkObserved(draft, services),
  ]
}

/** Whether the agency requires a driver's license, with any scheduling option. */
export function needsLicense(draft: Draft, services: Services | undefined): boolean {
  return valueOf(findAgency(draft.agency))?.code === AGENCY_WITH_LICENSE && hasDot(services) !== false
}

function checkAgency({ agency }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/agency'
  if (agency === undefined) {
    const detail = 'Packages with a DOT service require an agency. List them with GET /api/v2/agencies.'
    return hasDot(services) ? [underRegulation('49 CFR 40.14(g)', problemAt(pointer, 'required', detail))] : []
  }
  const problems = checkFound(findAgency(agency), pointer, 'agency')
  if (problems.length > 0 || hasDot(services) !== false) return problems
  return [problemAt(pointer, 'invalidValue', '`agency` is only allowed for packages with a DOT service.')]
}

function checkJobCategory({ jobCategory }: Draft, services: Services | undefined, agency?: Agency): Problem[] {
  const pointer = '/jobCategory'
  const hasJobs = agency && AGENCIES_WITH_JOBS.has(agency.code)
  if (jobCategory === undefined) {
    const detail = `A DOT urine test under ${agency?.code} requires a job category. List them with GET /api/v2/agencies/${agency?.id}.`
    // Employers report their tests by job category each year.
    const missing = underRegulation('49 CFR 40.26', problemAt(pointer, 'required', detail))
    return hasJobs && hasDotUrine(services) ? [missing] : []
  }
  if (hasDot(services) === false || (agency && !hasJobs)) {
    const detail = `\`jobCategory\` is only allowed for a DOT service under ${[...AGENCIES_WITH_JOBS].join(', ')}.`
    return [problemAt(pointer, 'invalidValue', detail)]
  }
  return agency ? checkFound(findJobCategory(jobCategory, agency), pointer, 'job category') : []
}

function checkOtherReason({ testReason, otherTestReason }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/otherTestReason'
  if (otherTestReason === undefined || testReason === undefined) return []
  if (testReason !== 'other') {
    return [problemAt(pointer, 'invalidValue', '`otherTestReason` requires the test reason "other".')]
  }
  const isFree = services?.some(({ category, isDot }) => isDot && FREE_REASON_CATEGORIES.has(category)) ?? true
  if (isFree || OTHER_TEST_REASONS.some((known) => known === otherTestReason)) return []
  const detail = `Expected one of ${OTHER_TEST_REASONS.join(', ')}.`
  return [problemAt(pointer, 'invalidValue', detail, 'isEnum')]
}

function checkObserved({ testReason, settings }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/settings/observedCollection'
  if (testReason === undefined || !OBSERVED_REASONS.has(testReason) || !hasDotUrine(services)) return []
  if (settings?.observedCollection === true) return []
  const detail = 'Return-to-duty and follow-up tests with a DOT urine service must be observed: send true.'
  const code = settings?.observedCollection === undefined ? 'required' : 'invalidValue'
  return [underRegulation('49 CFR 40.67(b)', problemAt(pointer, code, detail))]
}

const hasDot = (services: Services | undefined) => services?.some(({ isDot }) => isDot)

const hasDotUrine = (services: Services | undefined) => services?.some(({ isDot, type }) => isDot && type === 'urine')
