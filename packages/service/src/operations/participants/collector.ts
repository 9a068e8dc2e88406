import type { CatalogAddress, CatalogSettings } from '@order-testing/contract'
import type { CollectorView } from '@order-testing/pages'
import { AGENCIES } from '@order-testing/contract/agencies'
import type { Order } from '../../domain/orders/order.ts'
import { describeReason } from '../../domain/orders/test-reason.ts'
import { linesOf } from './clinics.ts'
import { presentBrand, settingsOf, type LinkSession } from './session.ts'

/** What the lower half of the printed pass tells the collector (49 CFR 40.14). */
export async function presentCollector(session: LinkSession): Promise<CollectorView> {
  const { tx, tenantId, order } = session
  const [settings, offices, { brand }] = [
    await settingsOf(session),
    await tx.brands.findOffices(tenantId, order.company.id, order.location.id),
    await presentBrand(session),
  ]
  const services = order.services.filter(({ status }) => status !== 'cancelled')
  const labs = services.flatMap(({ lab }) => (lab ? [lab.name] : []))
  return {
    identifier: shortIdentifier(order),
    employer: { name: order.company.name, address: toLines(offices?.address), phone: offices?.phone ?? null },
    representative: toOffice(settings.der),
    administrator: { name: brand.tenant, address: [], phone: offices?.helpPhone ?? null },
    reviewer: toOffice(settings.reviewer),
    laboratories: [...new Set(labs)],
    agency: AGENCIES.find(({ id }) => id === order.agencyId)?.code ?? null,
    reason: describeReason(order),
    isObserved: order.observed,
    isRegulated: services.some(({ isDot }) => isDot),
  }
}

/** At most the last four characters, and never more than half of an identifier. */
function shortIdentifier({ participant: { identifiers } }: Order): CollectorView['identifier'] {
  const [first] = identifiers
  if (!first) return null
  const letters = first.value.replaceAll(/[^\p{L}\p{N}]/gu, '')
  const digits = letters.slice(letters.length - Math.min(4, Math.floor(letters.length / 2)))
  return digits === '' ? null : { type: first.type, digits }
}

type Person = NonNullable<CatalogSettings['der'] | CatalogSettings['reviewer']>

const toOffice = (person: Person | undefined) =>
  person
    ? { name: person.name, address: toLines('address' in person ? person.address : null), phone: person.phone ?? null }
    : null

const toLines = (address: CatalogAddress | null | undefined) => (address ? linesOf(address) : [])
