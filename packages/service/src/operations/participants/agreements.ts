import { createHash } from 'node:crypto'
import { builtInAgreements, ENGLISH, languageCodes, type Brand, type Language } from '@order-testing/pages'
import { makeId } from '../../domain/ids.ts'
import { servicesToAttend } from '../../domain/bookings/bookings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { hasBackground } from '../../domain/orders/scheduling.ts'
import { isBeforeCheckIn } from '../../domain/orders/statuses.ts'
import { AGREEMENT_KINDS, type AgreementKind, type Draft, type Given } from '../../domain/participants/draft.ts'
import { isRegulated } from '../../domain/retention/periods.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import type { LinkSession } from './session.ts'

/** A text as it is shown, with what is kept of it. */
export interface ShownText {
  kind: AgreementKind
  version: string
  /** The tenant's text may exist in English only. */
  language: Language
  text: string
  hash: string
  /** Whether it is a placeholder. */
  isSample: boolean
}

export type AgreementTexts = Record<AgreementKind, Record<Language, ShownText>>

/** What an order asks for: a notice or consent with the details, and the two texts of a background check. */
export interface RequiredAgreements {
  check: 'notice' | 'consent' | null
  isBackground: boolean
}

/** Regulated orders ask for no consent (ruling 54); background checks have texts of their own (ruling 55). */
export function requiredAgreements(order: Order): RequiredAgreements {
  const pending = order.services.filter(({ status }) => isBeforeCheckIn(status))
  const check = order.agencyId !== null || isRegulated(order) ? 'notice' : 'consent'
  return { check: servicesToAttend(order).length > 0 ? check : null, isBackground: hasBackground(pending) }
}

/** The tenant's texts, else the built-in ones, with the names filled in. */
export async function loadTexts({ tx, tenantId }: LinkSession, brand: Brand): Promise<AgreementTexts> {
  const own = await tx.agreements.textsOf(tenantId)
  const entries = AGREEMENT_KINDS.map((kind) => {
    const name = OWN_TEXTS[kind]
    const tenantText = name && own[name]
    const shown = languageCodes().map((language) => {
      const { version, text, isSample } = builtInAgreements(language)[kind]
      const inLanguage = tenantText?.[language]
      const found = tenantText
        ? { version: tenantText.version, text: inLanguage ?? tenantText.en, isSample: false }
        : { version, text, isSample }
      const filled = fillNames(found.text, brand)
      const written: Language = tenantText && inLanguage === undefined ? ENGLISH : language
      return [language, { ...found, kind, language: written, text: filled, hash: hashText(filled) }]
    })
    return [kind, Object.fromEntries(shown)]
  })
  return Object.fromEntries(entries) as AgreementTexts
}

/** Whether the answer is to a text that is still the current one. */
export const isCurrent = (given: Given | undefined, texts: Record<Language, ShownText>): boolean =>
  given !== undefined && findShown(given.hash, texts) !== undefined

export const findShown = (hash: string | undefined, texts: Record<Language, ShownText>): ShownText | undefined =>
  Object.values(texts).find((text) => text.hash === hash)

/** The agreements of a draft, as they are stored. */
export function toRows({ agreed }: Draft, texts: AgreementTexts, session: LinkSession): AgreementRow[] {
  const { tenantId, order, now, random } = session
  const { check, isBackground } = requiredAgreements(order)
  const kinds: AgreementKind[] = [...(check ? [check] : []), ...(isBackground ? BACKGROUND : [])]
  return kinds.flatMap((kind) => {
    const given = agreed[kind]
    const shown = findShown(given?.hash, texts[kind])
    if (!given || !shown) return []
    const { name, date } = given
    return {
      tenantId,
      id: makeId('agr', now, random.bytes),
      orderId: order.id,
      kind,
      version: shown.version,
      language: shown.language,
      textHash: shown.hash,
      text: shown.text,
      agreedAt: new Date(given.at),
      signature: name !== undefined && date !== undefined ? { name, date } : null,
    }
  })
}

/** Stores the agreements, and sends a copy of what was authorized. Returns what the audit log says, without personal data. */
export async function recordAgreements({ tx, tenantId, order, now, random, agreements = [] }: LinkSession) {
  await tx.agreements.add(agreements)
  const copy = {
    kind: 'authorizationCopy' as const,
    channel: 'email' as const,
    tenantId,
    id: makeId('msg', now, random.bytes),
    orderId: order.id,
    tokenId: null,
    refersTo: null,
    dueAt: now,
    createdAt: now,
  }
  if (agreements.some(({ kind }) => kind === 'authorization')) await tx.notifications.queue([copy])
  const audited = agreements.map(({ kind, version, language, textHash }) => ({ kind, version, language, textHash }))
  return audited.length > 0 ? { agreements: audited } : {}
}

const BACKGROUND = ['disclosure', 'authorization'] as const

/** The notice of regulated tests says what the law says, and has no text of the tenant. */
const OWN_TEXTS = {
  notice: null,
  consent: 'consent',
  disclosure: 'backgroundDisclosure',
  authorization: 'backgroundAuthorization',
} as const

const fillNames = (text: string, { company, tenant }: Brand) =>
  text.replaceAll('{company}', () => company).replaceAll('{tenant}', () => tenant)

const hashText = (text: string) => createHash('sha256').update(text).digest('base64url')
