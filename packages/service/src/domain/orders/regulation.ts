import { OTHER_TEST_REASONS, type Problem } from '@order-testing/contract'
import type { Agency } from '../catalog/agencies.ts'
import { checkFound, findAgency, findJobCategory, valueOf, type Draft, type ServiceFacts } from './references.ts'

type Services = readonly ServiceFacts[]

/** Agencies whose form asks for the job of the person tested. */
const ASK_FOR_JOB = new Set(['FAA', 'FRA', 'FTA'])
const ASK_FOR_LICENSE = 'FMCSA'
/** 49 CFR 40.67: these collections are watched. */
const OBSERVED_REASONS = new Set(['returnToDuty', 'followUp'])
const FREE_REASON_CATEGORIES = new Set(['drug', 'alcohol', 'occupationalHealth'])

/** What the transport agencies want of an order. Services are undefined while the package is not known. */
export function checkRegulation(draft: Draft, services: Services | undefined): Problem[] {
  const agency = valueOf(findAgency(draft.agency))
  return [
    ...checkAgency(draft, services),
    ...checkJobCategory(draft, services, agency),
    ...checkOtherReason(draft, services),
    ...checkObserved(draft, services),
  ]
}

/** Whether the order is under an agency that needs a driver's licence, whatever the way it is completed. */
export function needsLicense(draft: Draft, services: Services | undefined): boolean {
  return valueOf(findAgency(draft.agency))?.code === ASK_FOR_LICENSE && hasDot(services) !== false
}

function checkAgency({ agency }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/agency'
  if (agency === undefined) {
    return hasDot(services)
      ? [
          {
            code: 'required',
            detail: 'Packages with a DOT service require an agency. List them with GET /api/v2/agencies.',
            pointer,
          },
        ]
      : []
  }
  const problems = checkFound(findAgency(agency), pointer, 'agency')
  if (problems.length > 0 || hasDot(services) !== false) return problems
  return [{ code: 'invalidValue', detail: '`agency` is only allowed for packages with a DOT service.', pointer }]
}

function checkJobCategory({ jobCategory }: Draft, services: Services | undefined, agency?: Agency): Problem[] {
  const pointer = '/jobCategory'
  const asked = agency && ASK_FOR_JOB.has(agency.code)
  if (jobCategory === undefined) {
    const detail = `A DOT urine test under ${agency?.code} requires a job category. List them with GET /api/v2/agencies/${agency?.id}.`
    return asked && hasDotUrine(services) ? [{ code: 'required', detail, pointer }] : []
  }
  if (hasDot(services) === false || (agency && !asked)) {
    const detail = `\`jobCategory\` is only allowed for a DOT service under ${[...ASK_FOR_JOB].join(', ')}.`
    return [{ code: 'invalidValue', detail, pointer }]
  }
  return agency ? checkFound(findJobCategory(jobCategory, agency), pointer, 'job category') : []
}

function checkOtherReason({ testReason, otherTestReason }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/otherTestReason'
  if (otherTestReason === undefined || testReason === undefined) return []
  if (testReason !== 'other') {
    return [{ code: 'invalidValue', detail: '`otherTestReason` requires the test reason "other".', pointer }]
  }
  const isFree = services?.some(({ category, isDot }) => isDot && FREE_REASON_CATEGORIES.has(category)) ?? true
  if (isFree || OTHER_TEST_REASONS.some((known) => known === otherTestReason)) return []
  const detail = `Expected one of ${OTHER_TEST_REASONS.join(', ')}.`
  return [{ code: 'invalidValue', detail, pointer, constraint: 'isEnum' }]
}

function checkObserved({ testReason, settings }: Draft, services: Services | undefined): Problem[] {
  const pointer = '/settings/observedCollection'
  if (testReason === undefined || !OBSERVED_REASONS.has(testReason) || !hasDotUrine(services)) return []
  if (settings?.observedCollection === true) return []
  const detail = 'Return-to-duty and follow-up tests with a DOT urine service must be observed: send true.'
  return [{ code: settings?.observedCollection === undefined ? 'required' : 'invalidValue', detail, pointer }]
}

const hasDot = (services: Services | undefined) => services?.some(({ isDot }) => isDot)

const hasDotUrine = (services: Services | undefined) => services?.some(({ isDot, type }) => isDot && type === 'urine')
