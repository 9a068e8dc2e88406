import { arrivalForRequesterInEnglish } from './arrival.ts'
import { clinicsForRequesterInEnglish } from './clinics.ts'
import { participant, type Texts } from './participant.ts'
import { withPeriod } from '../../with-period.ts'

/** The English texts for a requester, who chooses for the participant. */
export const requester: Texts = {
  ...participant,
  clinics: clinicsForRequesterInEnglish,
  askedBy: (company) => `This order for ${company} needs a clinic. The participant will go where you choose.`,
  byWhen: (when) => withPeriod(`The test is due by ${when}`),
  labels: { ...participant.labels, way: 'When will the participant go?' },
  faults: {
    ...participant.faults,
    way: {
      missing: 'Choose whether to make an appointment.',
      closed: 'This clinic doesn’t open again before the deadline. Choose another clinic.',
    },
    date: { ...participant.faults.date, tooLate: 'This is after the deadline. Choose an earlier date.' },
  },
  nearCity: (miles) =>
    `We couldn’t find the participant’s postal code, so these are clinics within ${miles} miles of the city.`,
  nearNowhere: 'We couldn’t find the participant’s address on the map. Search by city and state below.',
  comeBy: (when) => withPeriod(`The participant has to go by ${when}`),
  whenTitle: 'When will the participant go?',
  walkIn: 'Walk in while the clinic is open',
  walkInOnly: 'The participant doesn’t need an appointment at this clinic and can go any time it’s open.',
  appointment: 'Make an appointment',
  book: 'Book',
  passTitle: 'A clinic is booked',
  passHint: 'The participant will get a message with the place, the time and a pass.',
  bookedTitle: () => 'A clinic is booked',
  arrival: arrivalForRequesterInEnglish,
  cancelYes: 'Cancel the booking',
  backToPass: 'Back to the booking',
  here: { home: 'Home', place: 'Here' },
  stillDue: (when) => withPeriod(`The participant still has to take the test${when === null ? '' : ` by ${when}`}`),
  notes: { ...participant.notes, cancelled: 'The visit was canceled.' },
  notices: {
    ...participant.notices,
    cancelled: ['This test was canceled', 'You don’t need to choose a clinic.'],
    expired: ['The deadline has passed', 'Create a new order if the test is still needed.'],
    missed: ['The appointment was missed', 'Create a new order if the test is still needed.'],
    finished: ['All done, thank you', 'There is nothing left to choose or change here.'],
  },
}
