import type { Reader } from '../text-keys.ts'
import type { AuthorizationCopyTexts } from './en/authorization-copy.ts'
import type { Texts } from './en/participant.ts'
import type { ReplyTexts } from './en/replies.ts'
import type { NotificationTexts } from './notification-texts.ts'

/** Everything that a language needs. To add one, copy `es.ts`, translate it, and name it in `index.ts`. */
export interface LanguageFile {
  /** In the language itself, such as `Español`. */
  name: string
  formats: Formats
  /** The texts of pages, passes and calendar files. */
  pages: Record<Reader, Texts>
  agreements: BuiltInAgreements
  notifications: NotificationTexts
  authorizationCopy: AuthorizationCopyTexts
  /** Text messages from participants, and the answers to them. */
  replies: ReplyTexts
}

/** How dates and times are worded. */
export interface Formats {
  /** For `Intl`, which knows the names of days, months and countries. */
  locale: string
  /** Whether the zone of a time is abbreviated (`CT`) or in words (`hora central`). */
  zones: 'abbreviated' | 'inWords'
  /** A time of day, such as `10:30 AM` or `5 PM`. */
  time: (parts: { hour: string; minute: string; dayPeriod: string }) => string
  /** With short names, such as `Fri, Nov 20`. */
  shortDay: (parts: DayParts) => string
  /** With long names. */
  longDay: (parts: DayParts) => string
  shortMoment: (day: string, time: string) => string
  longMoment: (day: string, time: string) => string
  withZone: (time: string, zone: string) => string
}

interface DayParts {
  weekday: string
  day: string
  month: string
}

/** A built-in text. `{company}` and `{tenant}` stand for the names; a blank line ends a paragraph. */
export interface BuiltInText {
  version: string
  text: string
  /** Whether it is a placeholder that must not be used in production. */
  isSample: boolean
}

export type BuiltInAgreements = Record<'notice' | 'consent' | 'disclosure' | 'authorization', BuiltInText>
