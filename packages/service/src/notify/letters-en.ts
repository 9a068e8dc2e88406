import { sentence } from '@order-testing/pages'
import type { LetterTexts, Say, Told } from './letter-texts.ts'

const byWhen = ({ until }: Told) => (until === null ? '' : ` by ${until}`)

const where = ({ clinic }: Told) => clinic?.name ?? 'the clinic'

/** Where that is; a text message has no room for it. */
function address({ clinic }: Told): string[] {
  const phone = clinic?.phone && `Telephone: ${clinic.phone}`
  const parts = [clinic?.address, phone].flatMap((part) => (part ? [sentence(part)] : []))
  return parts.length > 0 ? [parts.join(' ')] : []
}

const booking =
  (subject: string, opening: string): Say =>
  (told) => ({
    subject,
    lines: [
      told.appointment === null
        ? sentence(`${opening} at ${where(told)}${byWhen(told)}`)
        : sentence(`${opening} on ${told.appointment} at ${where(told)}`),
      ...address(told),
      `${told.company} has asked for this. Bring a photo ID and the order code.`,
    ],
    button: told.isUnfinished ? 'Complete the order' : 'See your pass',
  })

const stillExpected = booking('Your booking is still open', 'A reminder: you are expected')

/** All that letters say, in English. Other languages have the same members. */
export const en: LetterTexts = {
  hello: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  orderCode: {
    participant: (code) => `Your order code is ${code}.`,
    requester: (code) => `The order code is ${code}.`,
  },
  footer: (company) => sentence(`This message was sent automatically. If you have questions, ask ${company}`),
  says: {
    link: (told) => ({
      subject: `${told.company} asks you to complete an order`,
      lines: [sentence(`${told.company} asks you to complete an order${byWhen(told)}`)],
      button: 'Complete the order',
    }),
    booking: booking('Your booking', 'You are expected'),
    bookingChanged: booking('Your booking has changed', 'Your booking has changed: you are expected'),
    bookingWithdrawn: ({ company, choosesClinic }) => ({
      subject: 'Your booking was cancelled',
      lines: [
        `Your booking for the order of ${company} was cancelled.`,
        choosesClinic ? 'You can choose another one.' : 'You will hear from us about a new one.',
      ],
      button: 'See the order',
    }),
    reminder: (told) =>
      told.isBooked
        ? stillExpected(told)
        : {
            subject: `Please complete the order of ${told.company}`,
            lines: [
              sentence(
                `The order of ${told.company} is still open, and ends ${told.until === null ? 'soon' : `on ${told.until}`}`,
              ),
            ],
            button: 'Complete the order',
          },
    bookingReminder: booking('Your appointment is tomorrow', 'A reminder: you are expected'),
    cancellation: ({ company }) => ({
      subject: `The order of ${company} was cancelled`,
      lines: [`${company} has cancelled the order. There is nothing left for you to do.`],
      button: '',
    }),
    clinicRequest: (told) => ({
      subject: `Please choose a clinic: order ${told.code}`,
      lines: [sentence(`Please choose a clinic for ${told.participant}${byWhen(told)}`)],
      button: 'Choose a clinic',
    }),
    clinicRequestAgain: (told) => ({
      subject: `Please choose another clinic: order ${told.code}`,
      lines: [
        sentence(
          `The booking for ${told.participant} was cancelled. Please choose another clinic or time${byWhen(told)}`,
        ),
      ],
      button: 'Choose a clinic',
    }),
    clinicReminder: ({ code, participant, until }) => ({
      subject: `No clinic has been chosen yet: order ${code}`,
      lines: [
        sentence(
          `The order for ${participant} still needs a clinic, and ends ${until === null ? 'soon' : `on ${until}`}`,
        ),
      ],
      button: 'Choose a clinic',
    }),
    clinicNotNeeded: ({ code, participant }) => ({
      subject: `Order ${code} was cancelled`,
      lines: [`The order for ${participant} was cancelled. You need not choose a clinic any more.`],
      button: '',
    }),
  },
}
