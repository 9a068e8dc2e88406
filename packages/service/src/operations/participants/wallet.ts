import { sign } from 'node:crypto'
import { walletTexts, type Fields, type Language } from '@order-testing/pages'
import type { AppleWallet, GoogleWallet, WalletKind } from '../../domain/participants/wallet.ts'
import { isIdentified } from './identity.ts'
import { presentPass } from './pass.ts'
import { openSession } from './opening.ts'
import { redirect, type LinkResponse, type ParticipantContext } from './session.ts'
import type { ZonedPass } from './views.ts'

export type WalletResponse = LinkResponse | { page: 'apple'; file: Buffer } | { page: 'google'; url: string }

/** The pass for a wallet; otherwise what the link shows instead. */
export async function readWalletPass(
  { secret, marks, kind, language }: { secret: string; marks: Fields; kind: WalletKind; language: Language },
  context: ParticipantContext,
): Promise<WalletResponse> {
  const found = await context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, marks, isLocking: false })
    if ('page' in session) return session
    const { stage, tenantId, order } = session
    if (stage !== 'pass' || !(await isIdentified(session))) return redirect()
    const view = await presentPass(session)
    if (!view.isOpen || view.isClinicOff) return redirect()
    const pass = { id: order.id, view, language }
    const apple = kind === 'apple' ? await tx.wallets.find(tenantId, 'apple') : undefined
    const google = kind === 'google' ? await tx.wallets.find(tenantId, 'google') : undefined
    return apple || google ? { pass, apple, google } : redirect()
  })
  if ('page' in found) return found
  const { pass, apple, google } = found
  if (google) return { page: 'google', url: saveLink(pass, google, context.now()) }
  return { page: 'apple', file: await signedPass(pass, apple!) }
}

interface WalletPass {
  id: string
  view: ZonedPass
  language: Language
}

/** A square with a tick, 58 pixels wide. Apple requires an icon. */
const ICON = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADoAAAA6CAYAAADhu0ooAAAABHNCSVQICAgIfAhkiAAAAAFzUkdCAK7OHOkAAAV7SURBVGiB7ZtrbFNlGMf/z2' +
    'mBrXQXKpcStjkiAhJ0M8S4wSYJDCUiMhCQywYdY9xiSOZcIhugJDIHEWEfmCzLoKNcRgSFBIUBBgXFKgSHzkTjTHAaLAzmqM0ubc95/WDWDNpD' +
    'zzk7Z6dDf5/a9znv8/z/6WnfWw8hDLH5OWOYDwsZWBYYEgFYGWAO109LCPCA8CcYfmMc1XNkPPm33f5TmD6hibHZxgu8fyfAZmqiVnXoNGcwFo' +
    'oZDjIam59vEXxdWxhjawAY+0SjevgJqOQGRm1x19S09gzcY9SSl5fo9fsOMbCMPpeoIgT6ItpgXNRit7u627juFwmFhdFev/dIfzcJAAxsaofg' +
    'O5pQWBjd3RYw2na7xcGAdN3UqQxjmNJ2u6W2+z0HADG2nGwG9oquyjSAgS2IseVko9uowLO39RalFQKPzYwxoljb0jSex9d6C9ISgwHpHC9Qtt' +
    '5CtIYXKJsDY6l6C9EcxlI5AFa9dfQBVo6AZL1VaA0ByRwD4vQWojUMiOMkXPdQ8L/RSONxqxWjLBbF/fvFMqxmzVq8OnkKAOCjb5xYU12Ndm+X' +
    'rBwR/4nuXbsuYBIA5j2bhsqVK2XniWijFbYVWJg+Oah9flo6hsbEysoVsUZ35C5D/rRpIWOCIKC96yG4dTdkz8XqGc+LxivP1Pf/7+jqrBkonS' +
    'e+NK6/1oDSusOy80aU0cVTMrBj2XLR+PnGRiyu2AVeEGTnjhijsydNQlXBKtH4t01NWLBzB7x+v6L8EWH0hZRUOF5bD44LLaexuRkvby9Hp8+n' +
    'uEavJgyPjRgBAPj15k3FOaZOmIBjRW+Ixn++cQOzysvg6exUXANKjRIR3l+2HAXTswAA1Z+dw+v7a8EYk5Xn6eTR+LCwSDR+veUWZpWX4Y7Ho0' +
    'TmPSi6dd+avyBgEgAKpmehqmAViERPOIKYmJiEk29ugGnQoJBxV9tfmLl1K1xtbUokBiHbaLzJhKKXZge1L8nIlGx2jNWKTzeUIM5kChlv9Xgw' +
    's2wr/mi9I1eeKLKNDjAaRc1IMZtgeQSnS0phMYc+kLvb3o4X3y1Dk8sVMq4U2UZb3G4cvHhRNL4kIxO7V4SedFvj43GqpBTW+CEh4x1eL+Zs34' +
    'bG35vlygqLYWDKU7I3rz/57irGjhyJCQmJIeMpyclIHjYMJ69eDbRZzGac3bg58Et9P16/H9nbt8HZ9ItcOZJQZBQATly58kCzTyY9GjBrjopC' +
    'fclGjB81KuS1fp7HoopdOP9joxIpklA8jjLGYKvcjU6fDzmZz4W8ZklGJgYYDEgaOgwTk5JEc63YU4n6aw1KpUiCBuculTf43Z+ACPvWrsP8NG' +
    'UHcQVVe3D4qy97I0ESvZ4CMsaQ90EljjrlH98U7a/tE5NQa66rxOw7x46i6txZNcpLQrVJvRyzVWfPoPzEcbVKS0LV1YsUs/s+P48ix341y0pC' +
    '9WXag8weczqxft9etUtKQvE4Go7jly/D3dGByWPHocvvx6YjdSipO6RFKUn0engJh8VsBi8IuNvermWZsGi+U9+qwlpSDSJiK6Uv4EAkb4O0H0' +
    'LAXQ6Mqbvwi0xcHED/AaPk4ojg1FuG5hAaOI5jdXrr0BojZ7RzbvtBJ4H6ZgmhAwS61Ga3N/w7vBiwSW9BWkFGFAOAAQC8Dd9fH5SaMgRAmt7C' +
    '1ISIKjy1B6rRc8IwLspUTIQLuipTESJcGBdlKg687xk05+YOB4QfGDBcF3Xq0UzgnvE4HLe6G+6ZAnocjlux0YNHg3BKF3nqUB8XPfiJniYh9j' +
    'gIY4xi83LnMB7FDCz43xIRCIEuEbH33LUHjhNR0Ios7EFJjM02Hjw/l5EwA0ACGEZG0gM+RHSGBuBjd82Bpgf1+QdBos+PK/2CdQAAAABJRU5E' +
    'rkJggg==',
  'base64',
)

const WHITE = 'rgb(255, 255, 255)'

/** A signed pass for Apple Wallet. */
async function signedPass({ id, view, language }: WalletPass, settings: AppleWallet): Promise<Buffer> {
  // Loaded on first use: most services never sign a pass.
  const { PKPass } = await import('passkit-generator')
  const { code, company, appointmentAt, expiresAt } = view
  const { title, when, where, orderCode, bring, color } = walletTexts(view, language)
  const pass = new PKPass(
    { 'icon.png': ICON, 'icon@2x.png': ICON },
    { wwdr: settings.issuer, signerCert: settings.certificate, signerKey: settings.key },
    {
      passTypeIdentifier: settings.passTypeIdentifier,
      teamIdentifier: settings.teamIdentifier,
      serialNumber: id,
      organizationName: company,
      description: title,
      logoText: company,
      backgroundColor: toRgb(color),
      foregroundColor: WHITE,
      labelColor: WHITE,
    },
  )
  pass.type = 'generic'
  pass.primaryFields.push({ key: 'when', ...when })
  pass.secondaryFields.push({ key: 'where', ...where })
  pass.auxiliaryFields.push({ key: 'code', label: orderCode, value: code })
  pass.backFields.push({ key: 'bring', ...bring })
  const barcode = { message: code, altText: code, messageEncoding: 'iso-8859-1' }
  pass.setBarcodes({ ...barcode, format: 'PKBarcodeFormatQR' }, { ...barcode, format: 'PKBarcodeFormatCode128' })
  if (appointmentAt) pass.setRelevantDate(appointmentAt)
  if (expiresAt) pass.setExpirationDate(expiresAt)
  return pass.getAsBuffer()
}

/** A link that adds the pass to Google Wallet: a signed JWT, which Google stores when the participant opens it. */
function saveLink({ id, view, language }: WalletPass, settings: GoogleWallet, now: Date): string {
  const { issuerId, clientEmail, key } = settings
  const { code, company, expiresAt } = view
  const { when, where, color } = walletTexts(view, language)
  const text = (value: string) => ({ defaultValue: { language, value } })
  const classId = `${issuerId}.testing-pass`
  const object = {
    id: `${issuerId}.${id.replaceAll(/[^\w.-]/g, '_')}`,
    classId,
    state: 'ACTIVE',
    cardTitle: text(company),
    subheader: text(when.label),
    header: text(when.value),
    textModulesData: [{ id: 'where', header: where.label, body: where.value }],
    barcode: { type: 'QR_CODE', value: code, alternateText: code },
    hexBackgroundColor: color,
    ...(expiresAt && { validTimeInterval: { end: { date: expiresAt.toISOString() } } }),
  }
  const claims = {
    iss: clientEmail,
    aud: 'google',
    typ: 'savetowallet',
    iat: Math.floor(now.getTime() / 1000),
    origins: [],
    payload: { genericClasses: [{ id: classId }], genericObjects: [object] },
  }
  return `https://pay.google.com/gp/v/save/${signedToken(claims, key)}`
}

/** A JWT with RS256 (RFC 7515). */
function signedToken(claims: object, key: string): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const content = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`
}

/** `#0B5D5B` as Apple writes it. */
const toRgb = (color: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`
