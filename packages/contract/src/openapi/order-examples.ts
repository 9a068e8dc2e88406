import { orderRequest } from './examples.ts'

/** Requests that place an order, one for each way to do so. */

const { deliveryMethods, location, requester, agency, jobCategory, package: dotUrine, callback } = orderRequest

const nonRegulated = {
  deliveryMethods,
  location,
  requester,
  package: { id: 'pkg-pre-employment-5' },
  testReason: 'preEmployment',
} as const

const participant = {
  firstName: 'Dana',
  lastName: 'Whitfield',
  birthDate: '1990-04-12',
  email: 'dana.whitfield@example.com',
  phone: '(816) 555-0123',
  address: { line1: '1812 Walnut Street', city: 'Kansas City', state: 'MO', postalCode: '64108' },
  identifiers: [{ type: 'employeeId', value: 'TC-20417' }],
} as const

export const orderRequests = {
  link: {
    summary: 'A link: the participant completes the order',
    value: {
      ...nonRegulated,
      participant: { firstName: 'Dana', lastName: 'Whitfield' },
      settings: { schedulingOption: 'link' },
    },
  },
  order: {
    summary: 'All details at once: the participant chooses a collection site',
    value: { ...nonRegulated, participant, settings: { schedulingOption: 'order' } },
  },
  schedule: {
    summary: 'Booked: the closest collection site that offers the tests',
    value: { ...nonRegulated, participant, settings: { schedulingOption: 'schedule' } },
  },
  dotUrine: {
    summary: 'DOT urine, with agency and job category',
    value: {
      ...nonRegulated,
      package: dotUrine,
      agency,
      jobCategory,
      testReason: 'random',
      participant: { firstName: 'Dana', lastName: 'Whitfield' },
      settings: { schedulingOption: 'link' },
    },
  },
  callback: {
    summary: 'With a callback that receives signed events',
    value: { ...nonRegulated, participant, settings: { schedulingOption: 'order' }, callback },
  },
} as const
