import type { LetterTexts, Say, Told } from './letter-texts.ts'

const byWhen = ({ until }: Told) => (until === null ? '' : ` by ${until}`)

const where = ({ clinic }: Told) =>
  clinic
    ? [clinic.name, clinic.address, clinic.phone && `telephone ${clinic.phone}`].filter(Boolean).join('; ')
    : 'the clinic'

const booking =
  (subject: (what: string) => string, opening: string): Say =>
  (told) => ({
    subject: subject(told.appointment === null ? 'booking' : 'appointment'),
    lines: [
      told.appointment === null
        ? `${opening} at ${where(told)}${byWhen(told)}.`
        : `${opening} ${told.appointment} at ${where(told)}.`,
      `${told.company} has asked for this. Bring a photo ID and the order code.`,
    ],
    button: told.isUnfinished ? 'Complete the order' : 'See your pass',
  })

const stillExpected = booking((what) => `Your ${what} is still open`, 'A reminder: you are expected')

/** All that letters say, in English. Other languages have the same members. */
export const en: LetterTexts = {
  hello: (name) => `Hello ${name},`,
  orderCode: {
    participant: (code) => `Your order code is ${code}.`,
    requester: (code) => `The order code is ${code}.`,
  },
  footer: (company) => `This message was sent automatically. If you have questions, ask ${company}.`,
  says: {
    link: (told) => ({
      subject: `${told.company} asks you to complete an order`,
      lines: [`${told.company} asks you to complete an order${byWhen(told)}.`],
      button: 'Complete the order',
    }),
    booking: booking((what) => `Your ${what}`, 'You are expected'),
    bookingChanged: booking((what) => `Your ${what} has changed`, 'This has changed: you are expected'),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Your appointment was withdrawn',
      lines: [
        `Your appointment for ${company} was withdrawn.`,
        choosesClinic ? 'You can choose another one.' : 'You will hear from us about a new one.',
      ],
      button: 'See the order',
    }),
    reminder: (told) =>
      told.isBooked
        ? stillExpected(told)
        : {
            subject: `Please complete the order of ${told.company}`,
            lines: [`The order of ${told.company} is still open, and ends ${told.until ?? 'soon'}.`],
            button: 'Complete the order',
          },
    bookingReminder: booking(() => 'Your appointment is tomorrow', 'A reminder: you are expected'),
    cancellation: ({ company }) => ({
      subject: `The order of ${company} was cancelled`,
      lines: [`${company} has cancelled the order. There is nothing left to do.`],
      button: '',
    }),
    clinicRequest: (told) => ({
      subject: `Please choose a clinic: order ${told.code}`,
      lines: [`Please choose a clinic for ${told.participant}${byWhen(told)}.`],
      button: 'Choose a clinic',
    }),
    clinicRequestAgain: (told) => ({
      subject: `Please choose another clinic: order ${told.code}`,
      lines: [
        `The booking for ${told.participant} was withdrawn. Please choose another clinic or time${byWhen(told)}.`,
      ],
      button: 'Choose a clinic',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `No clinic was chosen yet: order ${code}`,
      lines: [`The order for ${participant} still needs a clinic, and ends ${until ?? 'soon'}.`],
      button: 'Choose a clinic',
    }),
    clinicNotNeeded: ({ code, participant }) => ({
      subject: `Order ${code} was cancelled`,
      lines: [`The order for ${participant} was cancelled. You need not choose a clinic any more.`],
      button: '',
    }),
  },
}
