import { CreateOrder, parsePartly, type CatalogSettings, type Problem } from '@order-testing/contract'
import { checkOrder } from '../../src/domain/orders/create.ts'
import type { OrderFacts, ServiceFacts } from '../../src/domain/orders/references.ts'

/** When tests check orders. */
export const NOW = new Date('2026-03-02T15:04:05.678Z')

export const POLICY = { production: true, callbackAllow: [] as string[] }

const BODY = {
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  location: { id: 'loc_1' },
  package: { id: 'pkg_1' },
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dana@example.com', firstName: 'Dana', lastName: 'Reed' },
  settings: { schedulingOption: 'link' },
  testReason: 'random',
}

export const ADDRESS = { line1: '1 Main St', city: 'Naperville', state: 'IL', postalCode: '60540' }

/** All that the scheduling option `order` needs to know of a person. */
export const PERSON = {
  ...BODY.participant,
  address: ADDRESS,
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '(630) 555-0142',
  identifiers: [{ type: 'ssn', value: '536-22-8841' }],
}

interface Given {
  services?: ServiceFacts[]
  settings?: CatalogSettings
  location?: OrderFacts['location']
  package?: OrderFacts['package']
  policy?: typeof POLICY
}

/** A link order for one urine test that is all well, but for what is said. */
export const body = (members: object = {}) => ({ ...BODY, ...members })

export const service = (members: Partial<ServiceFacts> = {}): ServiceFacts => ({
  id: 'srv_1',
  name: 'Urine',
  category: 'drug',
  type: 'urine',
  isDot: false,
  requiresMro: false,
  lab: null,
  ...members,
})

export const URINE = service()
export const DOT_URINE = service({ id: 'srv_2', isDot: true })
export const DOT_BREATH = service({ id: 'srv_3', category: 'alcohol', type: 'breath', isDot: true })
export const DOT_PHYSICAL = service({ id: 'srv_4', category: 'occupationalHealth', type: 'dotPhysical', isDot: true })
export const DOT_RECORD = service({ id: 'srv_5', category: 'background', type: 'motorVehicleRecord', isDot: true })
export const BACKGROUND = service({ id: 'srv_6', category: 'background', type: 'criminal' })

export function facts({ services = [URINE], settings = {}, ...found }: Given = {}): OrderFacts {
  const location = { id: 'loc_1', name: 'Naperville', companyId: 'cmp_1', companyName: 'Prairie Rail', settings }
  return {
    location: found.location ?? { kind: 'one', value: location },
    package: found.package ?? { kind: 'one', value: { id: 'pkg_1', name: 'Standard', services } },
  }
}

/** Everything that is wrong with a body, as `POST /orders` tells it. */
export function problems(sent: object, given: Given = {}): Problem[] {
  const parsed = parsePartly(CreateOrder, sent)
  const { policy = POLICY } = given
  return [
    ...parsed.problems,
    ...checkOrder(parsed.partial, facts(given), { policy, now: NOW, faults: parsed.problems }),
  ]
}

/** The same, each in short: its code and pointer. */
export const told = (sent: object, given: Given = {}) =>
  problems(sent, given).map(({ code, pointer }) => `${code} ${pointer}`)
