import { withPeriod } from './with-period.ts'

/** A heading and a sentence. */
type Advice = readonly [title: string, text: string]

/** What to bring to the clinic and what happens there. */
export const visitInEnglish = {
  bringId: [
    'Your photo ID',
    'Driver’s license, state ID or passport. It must not be expired; a photo of it won’t do.',
  ] as Advice,
  bringPass: ['This pass', 'On your phone, printed, or just the code.'] as Advice,
  title: 'What to expect',
  urine: ['Come ready to give a urine sample', 'Drink a glass of water on the way. Don’t overdo it.'] as Advice,
  oralFluid: [
    'A swab in your mouth',
    'Don’t eat, drink, smoke or chew anything for 10 minutes before the test.',
  ] as Advice,
  hair: ['A small lock of hair', 'It’s cut close to the scalp. Come with clean, dry hair.'] as Advice,
  breath: ['You blow into a device', 'It takes a few minutes, and longer if the test has to be repeated.'] as Advice,
  exam: ['A physical exam', 'Bring your glasses or hearing aids and a list of your medicines.'] as Advice,
  duration: 'Plan for 30 to 45 minutes',
  early: 'Arrive 5 minutes early.',
  ifAskedToPay: (company: string) => withPeriod(`If anyone asks you to pay, call ${company}`),
}

export type VisitTexts = typeof visitInEnglish
