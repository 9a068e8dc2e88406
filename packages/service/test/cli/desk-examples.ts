import { expect } from 'vitest'
import { created, TENANT } from '../orders/given.ts'
import { messageAbout, report } from '../support/operator.ts'
import type { TestService } from '../support/service.ts'

/** Arguments and, where it is ours and not the API's, the document that a command prints. */
export interface Example {
  args: () => Promise<string[]> | string[]
  token?: string
  code?: number
  prints: object
}

export const page = { data: expect.any(Array) as object, limit: 20, page: 1, total: expect.any(Number) as number }

const queued = async (service: TestService) =>
  ((await report(service, messageAbout({ code: 'ZZZZ-ZZZZ' }))).body as { id: string }).id

interface Given {
  service: () => TestService
  fileOf: (content: object) => Promise<string>
  clinicId: string
}

/** Commands about bookings and result reports. */
export const deskExamples = ({ service, fileOf, clinicId }: Given): Record<string, Example> => ({
  'bookings day': { args: () => ['--clinic', clinicId], prints: { object: 'clinicDay', bookings: [] } },
  'bookings list': { args: () => ['--inactive'], prints: page },
  'bookings rebook': {
    args: async () => [`${(await created(service())).code}=${clinicId}`],
    prints: { object: 'rebookings', data: [{ outcome: 'booked', clinicId, appointmentAt: null }] },
  },
  'results candidates': {
    args: async () => [await queued(service())],
    prints: { object: 'resultCandidates', data: [] },
  },
  'results post': {
    args: async () => [await fileOf(messageAbout(await created(service())))],
    prints: { object: 'resultReceipt', state: 'applied' },
  },
  'results unmatched': { args: () => [], prints: page },
  'results show': { args: async () => [await queued(service())], prints: { object: 'result' } },
  'results refused': { args: () => [], prints: page },
  'results assign': {
    args: async () => [await queued(service()), (await created(service())).services[0]!.id],
    prints: { object: 'result', state: 'applied' },
  },
  'results dismiss': {
    args: async () => [await queued(service()), '--reason', 'Not ours.'],
    prints: { object: 'result', state: 'dismissed' },
  },
  'results codes list': { args: () => ['--origin', 'learned'], prints: page },
  'results codes set': {
    args: () => ['heartland', 'D9U', 'urine'],
    prints: { object: 'laboratoryCode', code: 'D9U', service: { id: 'urine' }, origin: 'learned' },
  },
  'results codes forget': {
    args: async () => {
      const code = { lab: 'heartland', code: 'D5U', serviceId: 'urine', createdAt: new Date() }
      await service().store.laboratoryCodes.learn({ ...code, tenantId: TENANT })
      return [code.lab, code.code]
    },
    prints: { object: 'laboratoryCode', lab: 'heartland', code: 'D5U' },
  },
})
