import type { CheckRows, FieldError, Note } from '@order-testing/pages'
import { servicesToAttend } from '../../domain/bookings/bookings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { mergeSettings } from '../../domain/orders/settings.ts'
import { lastSaved, neededPages } from '../../domain/participants/draft.ts'
import type { DetailGroup, DetailPage } from '../../domain/participants/detail-fields.ts'
import { findGiven, identifierAsked, readDetails, withDelivery } from '../../domain/participants/form.ts'
import { maskIdentifier, shownIdentifier } from '../../domain/participants/identifier.ts'
import { maskEmail, phoneEnding } from '../../domain/masks.ts'
import { regionCode, regionsOf } from '../../domain/places/regions.ts'
import { localTime } from '../../domain/places/zones.ts'
import { requiredAgreements } from './agreements.ts'
import { askedOn, needsClinic, type Filling } from './filling.ts'
import type { LinkResponse, LinkSession } from './session.ts'

interface Shown {
  errors: FieldError[]
  edit?: string | undefined
  note?: Note | undefined
}

/** One page of the form. Details on file are not shown on it. */
export function showPage(filling: Filling, page: DetailPage, { errors, edit, note }: Shown): LinkResponse {
  const { session, draft, order: view } = filling
  const { order } = session
  const { country = 'US', ...values } = draft.values
  const asked = askedOn(page, draft, order, edit)
  const pages = neededPages(order)
  const place = pages.indexOf(page)
  const region = country === 'US' || country === 'CA' ? country : null
  const entered = edit === 'identifier' ? undefined : values.identifierValue
  return {
    page: 'details',
    view: {
      ...view,
      step: page,
      seen: String(lastSaved(draft, page)),
      part: place < 0 ? null : { at: place + 1, of: pages.length },
      isFirst: place === 0,
      back: place > 0 ? pages[place - 1]! : place === 0 ? null : 'check',
      asks: [...asked],
      identifier: identifierAsked(order),
      enteredIdentifier: entered === undefined ? null : maskIdentifier(entered),
      regions: region && regionsOf(region),
      issuers: regionsOf('US'),
      clinic: clinicOf(order),
      values: {
        ...values,
        country,
        state: (region && values.state && regionCode(region, values.state)) || values.state,
        identifierState: (values.identifierState && regionCode('US', values.identifierState)) || values.identifierState,
        identifierValue: undefined,
      },
      errors,
      note,
    },
  }
}

/** Everything that was entered and is on file, to be confirmed, with the notice or consent. */
export async function showCheck(filling: Filling, note?: Note): Promise<LinkResponse> {
  const { session, texts, order: view } = filling
  const { order } = session
  const { check, isBackground } = requiredAgreements(order)
  const pages = neededPages(order)
  return {
    page: 'check',
    view: {
      ...view,
      rows: presentRows(filling),
      seen: String(lastSaved(filling.draft)),
      isFirst: pages.length === 0,
      back: pages.at(-1) ?? null,
      agreement: check && texts[check],
      isBackground,
      der: check === 'notice' ? await findDer(session) : null,
      declinedAt: await findDeclined(session),
      clinic: clinicOf(order),
      errors: faultOf(filling, 'consent'),
      note,
    },
  }
}

export const showDisclosure = ({ order, texts }: Filling): LinkResponse => ({
  page: 'disclosure',
  view: { order, text: texts.disclosure },
})

export async function showAuthorization(filling: Filling): Promise<LinkResponse> {
  const { session, texts, order, draft } = filling
  const details = readDetails(draft.values, session.order, session.now)
  const { email } = Array.isArray(details) ? withDelivery(session.order) : details
  return {
    page: 'authorization',
    view: {
      order,
      text: texts.authorization,
      date: localTime(session.now, session.zone).date,
      email: maskEmail(email ?? ''),
      declinedAt: await findDeclined(session),
      values: { signature: draft.signature },
      errors: faultOf(filling, 'signature'),
    },
  }
}

const faultOf = ({ draft: { fault } }: Filling, field: 'consent' | 'signature'): FieldError[] =>
  fault?.field === field ? [fault] : []

/** Details on file are masked or not shown: others may have the link. What was just entered is, but for the identifier. */
function presentRows({ session, draft }: Filling): CheckRows {
  const { order, now } = session
  const given = findGiven(draft.values)
  const details = readDetails(draft.values, order, now)
  const { birthDate, identifiers, email, phone, address } = Array.isArray(details) ? withDelivery(order) : details
  const isNew = (group: DetailGroup) => given.has(group)
  const type = identifierAsked(order) === 'driverLicense' ? 'driverLicense' : draft.values.identifierType
  const identifier = isNew('identifier') ? identifiers.find((each) => each.type === type) : shownIdentifier(identifiers)
  const { issuingState } = identifier ?? {}
  return {
    birthDate: isNew('birthDate') ? birthDate : null,
    identifier: identifier
      ? {
          type: identifier.type,
          issuer: issuingState && isNew('identifier') ? regionName(issuingState) : null,
          masked: isNew('identifier') ? maskIdentifier(identifier.value) : null,
        }
      : null,
    email: isNew('email') ? email : email && maskEmail(email),
    phone: isNew('phone') ? { number: phone ?? '' } : { ending: phoneEnding(phone ?? '') },
    address:
      address && isNew('address')
        ? [address.line1, address.line2, [address.city, `${address.state} ${address.postalCode}`].join(', ')]
            .map((line) => line.trim())
            .filter((line) => line !== '')
        : [],
  }
}

const regionName = (text: string) => {
  const code = regionCode('US', text)
  return regionsOf('US').find(([each]) => each === code)?.[1] ?? text
}

const clinicOf = (order: Order) =>
  needsClinic(order) ? 'choose' : servicesToAttend(order).length > 0 ? 'booked' : 'none'

/** The employer's representative, whom results go to (49 CFR 40.3). */
async function findDer({ tx, tenantId, order: { company, location } }: LinkSession) {
  const settings = await tx.orderFacts.settingsOf(tenantId, { companyId: company.id, locationId: location.id })
  const { der } = mergeSettings(settings?.company ?? {}, settings?.location ?? {})
  return der ? { name: der.name, phone: der.phone ?? null } : null
}

async function findDeclined({ tx, tenantId, order }: LinkSession): Promise<Date | null> {
  const open = await tx.helpRequests.findOpen(tenantId, order.id)
  return open?.reason === 'declined' ? open.createdAt : null
}
