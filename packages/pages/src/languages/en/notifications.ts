import { withPeriod } from '../../with-period.ts'
import type { NotificationFacts, NotificationTexts, Wording } from '../notification-texts.ts'

const greet = (name: string, request: string) =>
  name === '' ? request.charAt(0).toUpperCase() + request.slice(1) : `Hi ${name}, ${request}`
const withName = (text: string, name: string) => (name === '' ? text : `${text}, ${name}`)

/** When and where, for text messages. */
const visit = ({ appointment, clinic, by, code, isArrival }: NotificationFacts) => {
  const what = appointment === null ? `Go to ${clinic || 'the clinic'} during its opening hours${by}` : appointment
  const where = appointment === null || clinic === '' ? '' : `, ${clinic}`
  return `${withPeriod(what + where)} ${isArrival ? 'No time is reserved. ' : ''}Bring your photo ID and the code ${code}`
}

const booked = (facts: NotificationFacts, opening: string, title: string): Wording => ({
  subject: facts.appointment === null ? `${opening}: your visit${facts.byDay}` : `${opening}: ${facts.appointment}`,
  title,
  lines: facts.isArrival ? ['The clinic takes walk-ins: no time is reserved, and there may be a wait.'] : [],
  short: visit(facts),
})

const toDo = ({ company, by, choosesClinic, needsBooking }: NotificationFacts) =>
  needsBooking
    ? {
        lines: [
          `${company} asks you to take a workplace test. ${choosesClinic ? 'Choose a clinic near you and a time that works. ' : ''}It takes about 3 minutes.`,
        ],
        short: `please book your test${by}. It takes about 3 minutes`,
      }
    : {
        lines: [`${company} asks you to fill in a few details. It takes about 3 minutes.`],
        short: `please fill in your details${by}. It takes about 3 minutes`,
      }

const SOON = { today: 'today', tomorrow: 'tomorrow' }

/** The English texts. Other languages have the same members. */
export const notifications: NotificationTexts = {
  buttons: {
    book: 'Book my test',
    fillIn: 'Fill in my details',
    openPass: 'Open my pass',
    seeNext: 'See what’s next',
    chooseClinic: 'Choose a clinic',
    seeBooking: 'See the details',
  },
  shortButtons: {
    book: 'Book here',
    fillIn: 'Your details',
    openPass: 'Your pass',
    seeNext: 'See what’s next',
    chooseClinic: 'Choose here',
    seeBooking: 'The details',
  },
  alsoHere: 'Also in English',
  sender: (company, tenant) => `${company} via ${tenant}`,
  withTenant: (tenant) => `with ${tenant}`,
  by: (when) => `by ${when}`,
  byDay: (day) => `by ${day}`,
  rows: {
    when: 'When',
    arrival: 'Planned arrival',
    where: 'Where',
    goBy: 'Go by',
    finishBy: 'Finish by',
    forWhom: 'For',
    code: 'Code',
    bring: 'Bring',
    cost: 'Cost',
  },
  walkIn: 'Any time the clinic is open',
  photoId: 'Your photo ID, not expired. A photo of it won’t work.',
  noCost: 'None to you',
  directions: 'Directions',
  phone: (phone) => `Phone: ${phone}`,
  buttonFails: 'Button not working? Copy this address:',
  plansChanged: (until) =>
    withPeriod(`Plans changed? You can change or cancel on the same page${until === null ? '' : ` until ${until}`}`),
  isThisReal: 'Want to make sure this is real?',
  whoSends: (tenant, company) => withPeriod(`${tenant} books tests for ${company}`),
  toBeSure: (contact, code) => `Contact ${contact}, and mention order ${code}.`,
  questions: (contact) => withPeriod(`Questions? Contact ${contact}`),
  sentBy: (tenant, company) => withPeriod(tenant === '' ? `Sent for ${company}` : `Sent by ${tenant} for ${company}`),
  keepLink: 'This link is yours alone; please don’t forward it.',
  privacy: 'Privacy',
  copySubject: (subject) => `Copy: ${subject}`,
  copyNote: (participant) =>
    `Copy for your information. You don’t need to do anything: ${participant} got this message, and only that one has the link.`,
  optOut: 'Reply HELP for help, STOP to opt out.',
  kinds: {
    link: (facts) =>
      facts.needsBooking
        ? {
            subject: `${facts.company}: book your test${facts.byDay}`,
            title: greet(facts.name, 'please book your test'),
            ...toDo(facts),
          }
        : {
            subject: `${facts.company}: fill in your details${facts.byDay}`,
            title: greet(facts.name, 'please fill in your details'),
            ...toDo(facts),
          },
    linkAgain: (facts) => ({
      subject: `${facts.company}: your new link`,
      title: greet(facts.name, 'here’s your new link'),
      lines: facts.isBooked && !facts.isUnfinished ? [] : toDo(facts).lines,
      short: `here’s your new link${facts.isBooked ? '' : `. Please ${facts.needsBooking ? 'book your test' : 'fill in your details'}${facts.by}`}`,
    }),
    booking: (facts) => {
      if (facts.isArrival) {
        const wording = booked(facts, 'Planned arrival', withName('Your arrival is planned', facts.name))
        return { ...wording, short: `Planned arrival: ${wording.short}` }
      }
      const wording = booked(facts, 'Booked', withName('You’re booked', facts.name))
      return { ...wording, short: `You’re booked. ${wording.short}` }
    },
    bookingChanged: (facts) => {
      const title = `Your ${facts.isArrival ? 'planned arrival' : 'booking'} has changed`
      const wording = booked(facts, facts.isArrival ? 'New planned arrival' : 'New time', title)
      return { ...wording, short: `${title}. ${wording.short}` }
    },
    bookingWithdrawn: ({ company, choosesClinic, by, byDay, isArrival }) => {
      const what = isArrival ? 'planned arrival' : 'booking'
      const next = choosesClinic ? `Please choose another clinic or time${by}` : 'We’ll let you know about a new one'
      return {
        subject: `${company}: your ${what} was canceled${choosesClinic && byDay !== '' ? `, please choose again${byDay}` : ''}`,
        title: `Your ${what} was canceled`,
        lines: [`${withPeriod(`Your ${what} for ${company} was canceled`)} ${withPeriod(next)}`],
        short: `Your ${what} was canceled. ${next}`,
      }
    },
    reminder: (facts) => {
      const { company, byDay, by, isBooked, needsBooking } = facts
      if (isBooked) {
        const opening = facts.isArrival ? 'Reminder of your planned arrival' : 'Reminder'
        const wording = booked(facts, opening, facts.isArrival ? 'Your arrival is planned' : 'Your test is booked')
        return { ...wording, short: `${opening}: ${wording.short}` }
      }
      return needsBooking
        ? {
            subject: `Reminder: book your test for ${company}${byDay}`,
            title: 'Your test isn’t booked yet',
            lines: [withPeriod(`Please book your test for ${company}${by}`), 'It takes about 3 minutes.'],
            short: `Your test isn’t booked yet. Please book it${by}`,
          }
        : {
            subject: `Reminder: fill in your details for ${company}${byDay}`,
            title: 'Your details are still missing',
            lines: [withPeriod(`${company} still needs your details. Please fill them in${by}`)],
            short: `Your details are still missing. Please fill them in${by}`,
          }
    },
    bookingReminder: (facts) => {
      const what = facts.isArrival ? 'planned arrival' : 'appointment'
      const opening = facts.isArrival ? 'Reminder of your planned arrival' : 'Reminder'
      const wording = booked(facts, opening, `Your ${what} is coming up`)
      const when = facts.day && SOON[facts.day]
      if (when === null) return { ...wording, short: `${opening}: ${wording.short}` }
      const title = `Your ${what} is ${when}`
      return { ...wording, subject: `${title}: ${facts.appointment}`, title, short: `${title}. ${wording.short}` }
    },
    cancellation: ({ company }) => ({
      subject: `${company}: your test was canceled`,
      title: 'This test was canceled',
      lines: [`${company} canceled this order. You don’t need to go.`],
      short: 'Your test was canceled. You don’t need to go',
    }),
    clinicRequest: (facts) => chooseFor(facts, 'choose a clinic'),
    clinicRequestAgain: (facts) => ({
      ...chooseFor(facts, 'choose another clinic'),
      lines: [
        withPeriod(
          `The ${facts.isArrival ? 'planned arrival of' : 'booking for'} ${facts.participant} was canceled. Please choose another clinic or time${facts.by}`,
        ),
      ],
    }),
    clinicReminder: (facts) => ({
      ...chooseFor(facts, 'choose a clinic'),
      subject: `Reminder: choose a clinic for ${facts.participant}${facts.byDay}`,
    }),
    clinicNotNeeded: ({ participant, code }) => ({
      subject: `Order ${code} for ${participant} was canceled`,
      title: 'This order was canceled',
      lines: [`The order for ${participant} was canceled. You don’t need to do anything else.`],
      short: `The order for ${participant} was canceled. You don’t need to do anything else`,
    }),
    clinicChosen: (facts) => {
      const { participant } = facts
      const title = facts.isArrival ? `The arrival of ${participant} is planned` : `${participant} is booked`
      const wording = booked(
        facts,
        facts.isArrival ? `Planned arrival of ${participant}` : `Booked for ${participant}`,
        title,
      )
      const lines = [...wording.lines, `${participant} will get a message with the place, the time and a pass.`]
      return { ...wording, lines, short: `${title}. ${facts.appointment ?? facts.clinic}` }
    },
    clinicLinkAgain: (facts) => ({
      ...chooseFor(facts, 'choose a clinic'),
      subject: `Your new link: order for ${facts.participant}`,
      title: greet(facts.name, 'here’s your new link'),
      ...(facts.isBooked && { lines: [] }),
    }),
  },
}

const chooseFor = ({ name, participant, by, byDay }: NotificationFacts, request: string): Wording => ({
  subject: `${request.charAt(0).toUpperCase()}${request.slice(1)} for ${participant}${byDay}`,
  title: greet(name, `please ${request}`),
  lines: [withPeriod(`Please ${request} for ${participant}${by}`)],
  short: `please ${request} for ${participant}${by}`,
})
