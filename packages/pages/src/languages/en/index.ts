import type { LanguageFile } from '../language-file.ts'
import { agreements } from './agreements.ts'
import { authorizationCopy } from './authorization-copy.ts'
import { participant } from './participant.ts'
import { formats } from './formats.ts'
import { notifications } from './notifications.ts'
import { replies } from './replies.ts'
import { requester } from './requester.ts'

/** English is split by area. Its texts define what other languages have to translate. */
export const en: LanguageFile = {
  name: 'English',
  formats,
  pages: { participant, requester },
  agreements,
  notifications,
  authorizationCopy,
  replies,
}
