import type { Advice } from './pass.ts'
import { withPeriod } from '../../with-period.ts'

/** What to bring to the clinic and what happens there. */
export const visitInEnglish = {
  bringId: [
    'Your photo ID',
    'Driver’s license, state ID or passport. It must not be expired; a photo of it won’t work.',
  ] as Advice,
  bringPass: ['This pass', 'On your phone, printed, or just the code.'] as Advice,
  title: 'What to expect',
  duration: 'Plan for 30 to 45 minutes',
  durationWithExam: 'Plan for 60 to 90 minutes',
  early: 'Arrive 5 minutes early.',
  ifAskedToPay: (company: string) => withPeriod(`If anyone asks you to pay, call ${company}`),
}

export type VisitTexts = typeof visitInEnglish
