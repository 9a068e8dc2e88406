import { withPeriod } from '@order-testing/pages'
import { bookingLines, type BookingPhrases } from './booking-lines.ts'
import type { Compose, NotificationFacts, NotificationTexts } from './texts.ts'

const by = ({ until }: NotificationFacts) => (until === null ? '' : ` by ${until}`)

const PHRASES: BookingPhrases = {
  appointment: (when, clinic) => `You’re booked for ${when} at ${clinic}`,
  walkIn: (clinic, facts) => `Please go to ${clinic} during its opening hours${by(facts)}`,
  anyClinic: 'the clinic',
  phone: (phone) => `Phone: ${phone}`,
  bring: (company) => `${company} asked for this test. Bring a photo ID and your order code.`,
}

const FILL_IN = 'Fill in my details'

const booking =
  (subject: string, opening = ''): Compose =>
  (facts) => ({
    subject,
    lines: bookingLines(facts, PHRASES, opening),
    button: facts.isUnfinished ? FILL_IN : 'Open my pass',
  })

const bookedReminder = booking('Reminder: your test is booked', 'Reminder: ')

/** The English texts. Other languages have the same members. */
export const en: NotificationTexts = {
  hello: (name) => (name === '' ? 'Hi,' : `Hi ${name},`),
  orderCode: {
    participant: (code) => `Your order code is ${code}.`,
    requester: (code) => `The order code is ${code}.`,
  },
  footer: (company) => withPeriod(`This is an automatic message. If you have questions, please contact ${company}`),
  kinds: {
    link: (facts) =>
      facts.needsBooking
        ? {
            subject: `${facts.company}: please book your test`,
            lines: [withPeriod(`${facts.company} asks you to book a test${by(facts)}`)],
            button: 'Book my test',
          }
        : {
            subject: `${facts.company}: please fill in your details`,
            lines: [withPeriod(`${facts.company} asks you to fill in your details${by(facts)}`)],
            button: FILL_IN,
          },
    booking: booking('Your test is booked'),
    bookingChanged: booking('Your booking has changed', 'Your booking has changed. '),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Your booking was canceled',
      lines: [
        withPeriod(`Your booking for ${company} was canceled`),
        choosesClinic ? 'Please choose another clinic or time.' : 'We’ll let you know about a new one.',
      ],
      button: 'See what’s next',
    }),
    reminder: (facts) => {
      if (facts.isBooked) return bookedReminder(facts)
      const when = facts.until === null ? 'soon' : `by ${facts.until}`
      return facts.needsBooking
        ? {
            subject: `Reminder: please book your test for ${facts.company}`,
            lines: [withPeriod(`Your test for ${facts.company} isn’t booked yet. Please book it ${when}`)],
            button: 'Book my test',
          }
        : {
            subject: `Reminder: please fill in your details for ${facts.company}`,
            lines: [withPeriod(`${facts.company} still needs your details. Please fill them in ${when}`)],
            button: FILL_IN,
          }
    },
    bookingReminder: booking('Your appointment is tomorrow', 'Reminder: '),
    cancellation: ({ company }) => ({
      subject: `Your order for ${company} was canceled`,
      lines: [`${company} canceled this order. You don’t need to do anything else.`],
      button: '',
    }),
    clinicRequest: (facts) => ({
      subject: `Please choose a clinic: order ${facts.code}`,
      lines: [withPeriod(`Please choose a clinic for ${facts.participant}${by(facts)}`)],
      button: 'Choose a clinic',
    }),
    clinicRequestAgain: (facts) => ({
      subject: `Please choose another clinic: order ${facts.code}`,
      lines: [
        withPeriod(
          `The booking for ${facts.participant} was canceled. Please choose another clinic or time${by(facts)}`,
        ),
      ],
      button: 'Choose a clinic',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `No clinic chosen yet: order ${code}`,
      lines: [
        withPeriod(
          `The order for ${participant} still needs a clinic. Please choose one ${until === null ? 'soon' : `by ${until}`}`,
        ),
      ],
      button: 'Choose a clinic',
    }),
    clinicNotNeeded: ({ code, participant }) => ({
      subject: `Order ${code} was canceled`,
      lines: [`The order for ${participant} was canceled. You don’t need to choose a clinic.`],
      button: '',
    }),
  },
}
