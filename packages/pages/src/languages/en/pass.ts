import type { VisitKind } from '../../text-keys.ts'
import { withPeriod } from '../../with-period.ts'

/** A heading and a sentence. */
export type Advice = readonly [title: string, text: string]

/** What to know about a test before the visit; `short` is the same on paper. */
export interface Preparation {
  expect: Advice
  bring?: Advice
  short: { expect: string; bring?: string }
}

const GLASSES: Advice = ['Glasses, contacts, hearing aids', 'And a list of your medicines with their doses.']
const SLEEVES = 'Wear sleeves that roll up.'

/** By the kind of test. */
const visits: Record<VisitKind, Preparation> = {
  urine: {
    expect: ['Come ready to give a urine sample', 'Come with a full bladder. A glass of water on the way is plenty.'],
    short: { expect: 'A urine sample: come with a full bladder' },
  },
  oralFluid: {
    expect: ['A swab in your mouth', 'Nothing in your mouth for 15 minutes before: no food, drink, gum or tobacco.'],
    short: { expect: 'A mouth swab: no food, drink or gum for 15 minutes before' },
  },
  hair: {
    expect: [
      'A small lock of hair',
      'It’s cut close to the scalp. Come with clean, dry hair and no gel, oil or spray.',
    ],
    short: { expect: 'A small lock of hair: no gel, oil or spray' },
  },
  breath: {
    expect: ['You blow into a device', 'Don’t eat, drink or smoke for 15 minutes before. It may be repeated once.'],
    short: { expect: 'A breath test: no food, drink or smoking for 15 minutes before' },
  },
  blood: {
    expect: ['A blood sample from your arm', `${SLEEVES} Drink some water before.`],
    short: { expect: 'A blood sample' },
  },
  dotPhysical: {
    expect: ['A physical exam', 'Vision, hearing, blood pressure and a urine check.'],
    bring: GLASSES,
    short: { expect: 'A physical exam', bring: 'Glasses or contacts, hearing aids, list of medicines' },
  },
  physical: {
    expect: ['A physical exam', 'Wear comfortable clothes and sleeves that roll up.'],
    bring: GLASSES,
    short: { expect: 'A physical exam', bring: 'Glasses or contacts, hearing aids, list of medicines' },
  },
  audiogram: {
    expect: ['A hearing test', 'Stay away from loud noise for 14 hours before, if you can.'],
    short: { expect: 'A hearing test: no loud noise for 14 hours before' },
  },
  respiratorFit: {
    expect: ['A respirator fit test', 'Come clean-shaven. Don’t eat, smoke or chew gum for 30 minutes before.'],
    bring: ['Your respirator', 'If you already have one for work.'],
    short: { expect: 'A respirator fit test: come clean-shaven', bring: 'Your respirator, if you have one' },
  },
  pulmonaryFunction: {
    expect: ['A breathing test', 'Don’t smoke for an hour before, and wear loose clothes.'],
    short: { expect: 'A breathing test: no smoking for an hour before' },
  },
  vaccination: {
    expect: ['A shot in your arm', `${SLEEVES} You’ll rest for 15 minutes afterward.`],
    bring: ['Your vaccination record', 'If you have one.'],
    short: { expect: 'A shot in your arm', bring: 'Your vaccination record' },
  },
  tuberculosis: {
    expect: ['A tuberculosis test', `${SLEEVES} After a skin test, you’ll go back in 2 to 3 days.`],
    short: { expect: 'A tuberculosis test' },
  },
  vision: {
    expect: ['A vision test', 'Reading, distance and color.'],
    bring: ['Your glasses or contacts', 'And the case for your contacts.'],
    short: { expect: 'A vision test', bring: 'Glasses or contacts' },
  },
  otherSample: {
    expect: ['You give a sample', 'The collector explains each step before it starts.'],
    short: { expect: 'You give a sample' },
  },
  otherExam: {
    expect: ['A health check', 'The clinic explains each step before it starts.'],
    short: { expect: 'A health check' },
  },
}

/** The texts of the pass before, during and after the visit, and of the question on a new device. */
export const passInEnglish = {
  visits,
  sentTo: (to: string) => `We sent your pass to ${to}.`,
  showAgain: (code: string) => `Show my pass again (${code})`,
  checkAgain: 'Check again',
  checkedIn: 'You’re checked in',
  checkedInAt: (time: string, clinic: string) => `${time} at ${clinic}.`,
  stay: 'Please stay at the clinic until you’re called.',
  leaving: ['Need to leave?', 'Tell the front desk first. Leaving now may count as not completing the test.'] as Advice,
  partly: 'You’re partly done',
  partlyText: (tests: string) => `Still to do: ${withPeriod(tests)}`,
  collected: 'That’s it, you’re done',
  sampleAt: (when: string) => withPeriod(`Your sample was collected on ${when}`),
  visitOver: 'The clinic has everything it needs from you.',
  nothingToBook: 'There’s nothing else to book.',
  untilDone: 'If you’re still at the clinic, please stay until they say you can go.',
  complete: 'Your test is complete',
  completeText: (company: string) => `${company} has the report. Results of this test aren’t shown here.`,
  now: 'What happens now',
  next: 'What happens next',
  happened: 'What happened',
  steps: {
    booked: 'Booked',
    planned: 'Arrival planned',
    checkedIn: 'Checked in',
    sample: 'Sample',
    visit: 'Tests at the clinic',
    collected: 'Sample collected',
    visited: 'Visit done',
    lab: 'Lab',
    atLab: 'At the lab',
    report: (company: string) => `Report to ${company}`,
    reported: 'Report sent',
  },
  stepDone: 'done',
  stepNow: 'now',
  calledIn: 'A collector will call you in. About 15 minutes.',
  calledInVisit: 'The clinic will call you in.',
  labTime: 'Usually 1 to 3 business days',
  theyTell: 'They’ll tell you what comes next.',
  yourTests: 'Your tests',
  stages: {
    toDo: 'To do',
    checkedIn: 'Checked in',
    collected: 'Collected',
    running: 'In progress',
    complete: 'Complete',
    notDone: 'Not done',
  },
  mayCall: 'You may get a call.',
  reviewerCalls: (name: string) => `If there’s a question about a prescription, ${name}’s office will call you`,
  someoneCalls: 'If there’s a question about a prescription, a medical review officer’s office will call you.',
  from: 'from',
  pickUp: 'Please pick up; it’s confidential.',
  whoToAsk: 'Who to ask',
  aboutReport: 'About the report and what comes next',
  copy: ['A copy of your result', 'Write to the reviewing doctor’s office.'] as Advice,
  theirNumber: 'Their number is',
  identity: {
    title: (name: string) => `Is it you, ${name}?`,
    lead: 'This phone or computer is new to us. To protect your details, tell us one thing we already know.',
    birthDate: 'Your date of birth',
    month: 'Month',
    day: 'Day',
    year: 'Year',
    lastName: 'Your last name',
    goOn: 'Continue',
    tries: 'After 5 wrong answers, we lock the page for an hour.',
    faults: {
      incompleteBirthDate: 'Enter the month, day and year of your birth, like 3 28 1990.',
      incompleteLastName: 'Enter your last name.',
      mismatch: 'That doesn’t match what we have. Check it and try again.',
    },
    locked: {
      title: 'Too many wrong answers',
      until: (when: string) => withPeriod(`This page is locked until ${when}`),
      why: 'That protects your details. Until then we don’t look at answers, not even right ones.',
      next: 'After that, you can try again here. If you can’t wait, ask the contact below for a new link, which unlocks the page at once.',
      again: 'Try again',
    },
  },
  newLink: {
    ask: 'Send me a new link',
    hint: 'We’ll send it to the email address or phone that got this link.',
  },
  canceledOn: (company: string, day: string) => `${company} canceled it on ${withPeriod(day)}`,
  moreTime: (company: string) => `Ask ${company} for more time`,
  moreTimeSubject: 'More time for my test',
  requests: {
    title: 'Your open orders',
    all: 'All your open orders',
    count: (count: number) => (count === 1 ? '1 open order' : `${count} open orders`),
    firstOf: (shown: number, count: number) => `The first ${shown} of ${count}. Those that need a clinic come first.`,
    needsClinic: 'Needs a clinic',
    booked: 'Booked',
    planned: 'Planned arrival',
    anyTime: 'walk-in',
    due: (when: string) => `Due ${when}`,
    choose: 'Choose a clinic',
    see: 'See details',
    none: 'No open orders. There’s nothing to choose right now.',
  },
  paper: {
    hint: 'Show this at the front desk, with your photo ID',
    photoId: 'Photo ID, not expired',
    thisPass: 'This pass, or just the code',
    bring: 'Bring',
    expect: 'Expect',
    know: 'Good to know',
    minutes: '30 to 45 minutes',
    minutesWithExam: '60 to 90 minutes',
    stay: 'Stay until you’re told you’re done',
    goBy: (when: string) => `Go by ${when}`,
    latest: 'The latest version is always at the link in your message.',
    printed: (code: string, when: string) => `Order ${code} · printed ${when}`,
    identifiers: {
      driverLicense: 'Driver’s license',
      stateId: 'State ID',
      passport: 'Passport',
      ssn: 'SSN',
      employeeId: 'Employee number',
      other: 'ID',
    } as Record<string, string>,
  },
  wallet: { apple: 'Add to Apple Wallet', google: 'Add to Google Wallet' },
}

export type PassTexts = typeof passInEnglish
