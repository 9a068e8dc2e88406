import { withPeriod } from '../../with-period.ts'

export type KeywordAction = 'stop' | 'start' | 'help'

export const replies = {
  /** Messages that consist of one of these words are understood in any language. */
  keywords: {
    stop: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    start: ['START', 'UNSTOP'],
    help: ['HELP', 'INFO'],
  } satisfies Record<KeywordAction, string[]>,
  stopped: (sender: string, ask: string) =>
    `You won’t get more texts from ${sender}. Any booking stays. ${ask} Reply START to get texts again.`,
  started: (sender: string) => `You’ll get texts from ${sender} again. Reply STOP to opt out.`,
  help: (sender: string, ask: string) => `${sender}. ${ask} Reply STOP to opt out.`,
  unread: (sender: string, ask: string) =>
    `${sender}: nobody reads replies to this number. ${ask} Reply STOP to opt out.`,
  via: (company: string, tenant: string) => `${company} with ${tenant}`,
  questions: (contact: string) => withPeriod(`Questions? ${contact}`),
  ask: (company: string) => withPeriod(`Please ask ${company}`),
}

export type ReplyTexts = typeof replies
