import { sentence } from './sentence.ts'
import { en, type Texts } from './texts-en.ts'

/** The same as a requester reads it, who chooses for somebody else. */
export const enForRequester: Texts = {
  ...en,
  askedBy: (company) => `An order of ${company} needs a clinic. The participant will go where you choose.`,
  byWhen: (when) => sentence(`It has to be done by ${when}`),
  steps: { ...en.steps, time: 'Choose when the participant comes' },
  // There are no details to give, so it is one step less.
  stepOf: (step, steps) => en.stepOf(step - 1, steps - 1),
  labels: { ...en.labels, way: 'When will the participant come?' },
  faults: {
    ...en.faults,
    way: {
      missing: 'Choose whether the participant comes at a set time.',
      closed: 'The clinic does not open any more before this order ends. Choose another clinic.',
    },
  },
  nearAddress: (miles) => `Clinics within ${miles} miles of the participant’s address, the nearest first.`,
  nearCity: (miles) =>
    `We could not find the participant’s postal code, so these are clinics within ${miles} miles of the city.`,
  nearNowhere: 'We could not find the participant’s address on the map. Search by city and state below.',
  noneNear: 'No clinic nearby can take this order. Try another place, or ask the operator of this service.',
  noneNearCity:
    'We could not find the participant’s postal code, and no clinic near the city can take this order. Try another place, or ask the operator of this service.',
  comeBy: (when) => sentence(`The participant has to come no later than ${when}`),
  walkIn: 'Without an appointment, while the clinic is open',
  walkInOnly: 'The participant does not need an appointment at this clinic, and can come while it is open.',
  appointment: 'At a set time',
  book: 'Book',
  rebook: 'Change the booking',
  passTitle: 'A clinic is booked',
  passHint: 'The participant will get a message with the place, the time and a pass.',
  notices: {
    ...en.notices,
    expired: ['This order has ended', 'Its time has passed. Place a new one if the test is still needed.'],
    missed: ['The appointment was missed', 'The participant did not come. Place a new order if it is still needed.'],
    finished: ['All done, thank you', 'There is nothing left to choose or to change here.'],
  },
}
