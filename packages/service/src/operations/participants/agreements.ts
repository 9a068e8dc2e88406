import { createHash } from 'node:crypto'
import { builtInAgreements, ENGLISH, languageCodes, type Brand, type Language } from '@order-testing/pages'
import { makeId } from '../../domain/ids.ts'
import { servicesToAttend } from '../../domain/bookings/bookings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { hasBackground } from '../../domain/orders/scheduling.ts'
import { isBeforeCheckIn } from '../../domain/orders/statuses.ts'
import { AGREEMENT_KINDS, type AgreementKind, type Draft, type Given } from '../../domain/participants/draft.ts'
import { withDelivery } from '../../domain/participants/form.ts'
import { isRegulated } from '../../domain/retention/periods.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import { auditEntry } from '../audit/audit.ts'
import { settingsOf, type LinkSession } from './session.ts'

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
  const attended = servicesToAttend(order)
  // The notice is about tests under 49 CFR Part 40. Examinations are under other parts.
  const isTest = attended.some(({ category }) => category !== 'occupationalHealth')
  const regulated = isTest ? 'notice' : null
  const check = order.agencyId !== null || isRegulated(order) ? regulated : 'consent'
  return { check: attended.length > 0 ? check : null, isBackground: hasBackground(pending) }
}

/** Who makes the report about a person: the company's provider, or the tenant itself. */
export const findProvider = async (session: LinkSession, tenant: string) =>
  (await settingsOf(session)).backgroundProvider ?? tenant

/** The tenant's texts, else the built-in ones, with the names filled in. */
export async function loadTexts(session: LinkSession, { company, tenant }: Brand): Promise<AgreementTexts> {
  const own = await session.tx.agreements.textsOf(session.tenantId)
  const names = { company, tenant, provider: await findProvider(session, tenant) }
  const entries = AGREEMENT_KINDS.map((kind) => {
    const name = OWN_TEXTS[kind]
    const tenantText = name && own[name]
    const shown = languageCodes().map((language) => {
      const { version, text, isSample } = builtInAgreements(language)[kind]
      const inLanguage = tenantText?.[language]
      const found = tenantText
        ? { version: tenantText.version, text: inLanguage ?? tenantText.en, isSample: false }
        : { version, text, isSample }
      const filled = fillNames(found.text, names)
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

/**
 * Stores the agreements that are not stored yet, and sends a copy of what was authorized. Returns what the audit log says,
 * without personal data.
 */
export async function recordAgreements(session: LinkSession, { isFinal = true }: { isFinal?: boolean } = {}) {
  const { tx, tenantId, order, agreements = [] } = session
  const stored = await tx.agreements.ofOrder(tenantId, order.id)
  const fresh = agreements.filter((row) => !stored.some((each) => isSame(each, row)))
  await tx.agreements.add(fresh)
  const isSigned = ({ kind }: AgreementRow) => kind === 'authorization'
  const isNew = fresh.some(isSigned)
  // Before the details are saved, there may be no address to send a copy to.
  const canMail = withDelivery(order).email !== null
  if (isFinal ? isNew || (!canMail && agreements.some(isSigned)) : isNew && canMail) await queueCopy(session)
  const audited = fresh.map(({ kind, version, language, textHash }) => ({ kind, version, language, textHash }))
  return audited.length > 0 ? { agreements: audited } : {}
}

/** Keeps what was signed at once: the person may book a clinic another day, or never. */
export async function recordSigned(session: LinkSession): Promise<void> {
  const { tx, tenantId, order, now, random, recipient } = session
  const agreements = session.agreements?.filter(({ kind }) => BACKGROUND.includes(kind)) ?? []
  const after = await recordAgreements({ ...session, agreements }, { isFinal: false })
  if (after.agreements === undefined) return
  const audited = { action: `${recipient}.authorize`, subject: { type: 'order', id: order.id } }
  const actor = { caller: { tenantId, tokenId: recipient }, now: () => now, random }
  await tx.audit.append([auditEntry({ ...audited, after }, actor)])
}

const isSame = (one: AgreementRow, other: AgreementRow) =>
  one.kind === other.kind && one.textHash === other.textHash && one.agreedAt.getTime() === other.agreedAt.getTime()

async function queueCopy({ tx, tenantId, order, now, random }: LinkSession): Promise<void> {
  const times = { dueAt: now, createdAt: now }
  const copy = { kind: 'authorizationCopy', channel: 'email', tokenId: null, refersTo: null, ...times } as const
  await tx.notifications.queue([{ ...copy, tenantId, id: makeId('msg', now, random.bytes), orderId: order.id }])
}

const BACKGROUND: readonly AgreementKind[] = ['disclosure', 'authorization']

/** The notice of regulated tests says what the law says, and has no text of the tenant. */
const OWN_TEXTS = {
  notice: null,
  consent: 'consent',
  disclosure: 'backgroundDisclosure',
  authorization: 'backgroundAuthorization',
} as const

const fillNames = (text: string, names: Record<string, string>) =>
  Object.entries(names).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, () => value), text)

const hashText = (text: string) => createHash('sha256').update(text).digest('base64url')
