import { join } from 'node:path'
import { expect } from 'vitest'
import { PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import type { TestService } from '../support/service.ts'

interface Given {
  order: (members?: object) => Promise<{ id: string }>
  service: () => TestService
  /** Where a command may write files. */
  folder: () => string
  clinicId: string
  page: object
}

/** Examples of commands about documents of orders and saved views of their list. */
export function orderExamples({ order, service, folder, clinicId, page }: Given) {
  const view = async () => {
    const answer = await operate(service(), 'POST', '/savedViews', { name: 'Mine', filters: {} })
    return (answer.body as { id: string }).id
  }
  return {
    'orders documents': { args: async () => [(await order()).id], prints: { object: 'orderDocuments', data: [] } },
    'orders document': {
      args: async () => {
        const { id } = await order({ participant: PERSON })
        await operate(service(), 'PUT', `/orders/${id}/clinic`, { clinicId: clinicId })
        return [id, 'pass', join(folder(), 'pass.pdf')]
      },
      prints: { contentType: 'application/pdf', bytes: expect.any(Number) },
    },
    'orders view': { args: async () => [(await order()).id], prints: { object: 'participantView' } },
    'orders views list': { args: () => [], prints: page },
    'orders views save': {
      args: () => ['At the laboratory', '--status', 'pending', '--created-within', '7', '--share'],
      prints: {
        object: 'savedView',
        name: 'At the laboratory',
        isShared: true,
        filters: { status: 'pending', createdWithinDays: 7 },
      },
    },
    'orders views update': {
      args: async () => [await view(), '--name', 'Renamed', '--position', '1'],
      prints: { object: 'savedView', name: 'Renamed' },
    },
    'orders views delete': { args: async () => [await view()], prints: [{ object: 'savedView', name: 'Mine' }] },
  }
}
