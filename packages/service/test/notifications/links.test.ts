import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import type { Transport } from '../../src/notify/transports.ts'
import { created } from '../orders/given.ts'
import { participantService } from '../participants/given.ts'

const service = participantService()

test('a link never ends in a mark, which programs that find links would leave out', async () => {
  const texts: string[] = []
  const transport: Transport = {
    async send({ content }, beforeSend) {
      await beforeSend()
      texts.push(content.short)
      return { outcome: 'accepted', detail: '' }
    },
    close() {},
  }
  // The first secret would end in a hyphen.
  const bytes = [Buffer.alloc(24, 0xfe)]
  const random = (count: number) => bytes.pop() ?? randomBytes(count)
  const options = { store: service.store, channel: 'email' as const, publicUrl: 'https://orders.example' }
  const sender = new NotificationDispatcher({ ...options, transport, random })
  await created(service)
  while (await sender.round());
  expect(texts[0]).toMatch(/\/o\/[\w-]{31}[A-Za-z0-9](?:\s|$)/)
})
