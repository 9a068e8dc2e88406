import { withPeriod } from '@order-testing/pages'
import { bookingLines, type NotificationTexts } from './texts.ts'

const booked = bookingLines({
  appointment: (when, clinic) => `You’re booked for ${when} at ${clinic}`,
  walkIn: (clinic, by) => `Please go to ${clinic} during its opening hours${by}`,
  anyClinic: 'the clinic',
  phone: (phone) => `Phone: ${phone}`,
  bring: (company) => `${company} asked for this test. Bring a photo ID and your order code.`,
})

/** The English texts. Other languages have the same members. */
export const en: NotificationTexts = {
  hello: (name) => (name === '' ? 'Hi,' : `Hi ${name},`),
  orderCode: {
    participant: (code) => `Your order code is ${code}.`,
    requester: (code) => `The order code is ${code}.`,
  },
  footer: (company) => withPeriod(`This is an automatic message. If you have questions, please contact ${company}`),
  by: (when) => `by ${when}`,
  soon: 'soon',
  buttons: {
    book: 'Book my test',
    fillIn: 'Fill in my details',
    openPass: 'Open my pass',
    seeNext: 'See what’s next',
    chooseClinic: 'Choose a clinic',
  },
  kinds: {
    link: ({ company, by, needsBooking }) =>
      needsBooking
        ? [`${company}: please book your test`, `${company} asks you to book a test${by}`]
        : [`${company}: please fill in your details`, `${company} asks you to fill in your details${by}`],
    booking: (facts) => ['Your test is booked', ...booked(facts, '')],
    bookingChanged: (facts) => ['Your booking has changed', ...booked(facts, 'Your booking has changed. ')],
    bookingWithdrawn: ({ company, choosesClinic }) => [
      'Your booking was canceled',
      `Your booking for ${company} was canceled`,
      choosesClinic ? 'Please choose another clinic or time.' : 'We’ll let you know about a new one.',
    ],
    reminder: (facts) => {
      const { company, soonOrBy, isBooked, needsBooking } = facts
      if (isBooked) return ['Reminder: your test is booked', ...booked(facts, 'Reminder: ')]
      return needsBooking
        ? [
            `Reminder: please book your test for ${company}`,
            `Your test for ${company} isn’t booked yet. Please book it ${soonOrBy}`,
          ]
        : [
            `Reminder: please fill in your details for ${company}`,
            `${company} still needs your details. Please fill them in ${soonOrBy}`,
          ]
    },
    bookingReminder: (facts) => [
      facts.day ? `Your appointment is ${facts.day}` : 'Reminder: your test is booked',
      ...booked(facts, 'Reminder: '),
    ],
    cancellation: ({ company }) => [
      `Your order for ${company} was canceled`,
      `${company} canceled this order. You don’t need to do anything else.`,
    ],
    clinicRequest: ({ code, participant, by }) => [
      `Please choose a clinic: order ${code}`,
      `Please choose a clinic for ${participant}${by}`,
    ],
    clinicRequestAgain: ({ code, participant, by }) => [
      `Please choose another clinic: order ${code}`,
      `The booking for ${participant} was canceled. Please choose another clinic or time${by}`,
    ],
    clinicReminder: ({ code, participant, soonOrBy }) => [
      `No clinic chosen yet: order ${code}`,
      `The order for ${participant} still needs a clinic. Please choose one ${soonOrBy}`,
    ],
    clinicNotNeeded: ({ code, participant }) => [
      `Order ${code} was canceled`,
      `The order for ${participant} was canceled. You don’t need to choose a clinic.`,
    ],
  },
}
