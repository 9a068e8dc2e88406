import { describe, expect, test } from 'vitest'
import { deliveryFor, withEmail } from '../../../src/domain/participants/contact.ts'
import { orderOf } from '../../support/orders.ts'

const NOW = new Date('2027-03-01T13:00:00Z')
const delivered = (order: ReturnType<typeof orderOf>, given: { email?: string; phone?: string }) =>
  deliveryFor(order, { ...order.participant, ...given })

describe('a new contact of the participant', () => {
  const email = orderOf({ delivery: { type: 'email', to: 'old@example.com', cc: ['boss@example.com'] } })
  const mobile = orderOf({ delivery: { type: 'mobile', phone: '+16305550101' } })

  test('notifications by e-mail go to the new address, and copies stay', () => {
    const delivery = { type: 'email', to: 'new@example.com', cc: ['boss@example.com'] }
    expect(delivered(email, { email: 'new@example.com' })).toEqual(delivery)
    expect(withEmail(email, 'new@example.com', NOW)).toMatchObject({
      delivery,
      participant: { email: 'new@example.com' },
    })
  })

  test('text messages go to the new number, if it can take them', () => {
    expect(delivered(mobile, { phone: '+16305550199' })).toEqual({ type: 'mobile', phone: '+16305550199' })
    expect(delivered(mobile, { phone: '+16305550199;ext=12' })).toEqual(mobile.delivery)
  })

  test('the other kind of contact, and the same address spelled otherwise, change no delivery', () => {
    expect(delivered(email, { phone: '+16305550199' })).toEqual(email.delivery)
    expect(delivered(mobile, { email: 'new@example.com' })).toEqual(mobile.delivery)
    expect(delivered(email, { email: 'Old@Example.com' })).toEqual(email.delivery)
  })

  test('an address on file that differs from the one of the link stays apart until the participant changes it', () => {
    const order = orderOf({ ...email, participant: { ...email.participant, email: 'home@example.com' } })
    expect(delivered(order, {})).toEqual(order.delivery)
    expect(withEmail(order, 'home@example.com', NOW)).toBe(order)
    expect(delivered(order, { email: 'new@example.com' })).toMatchObject({ to: 'new@example.com' })
  })
})
