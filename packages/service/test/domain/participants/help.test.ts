import { describe, expect, test } from 'vitest'
import { addNote, canAskForHelp, endsHelp, readHelp, saveDetails } from '../../../src/domain/participants/help.ts'
import { orderOf } from '../../support/orders.ts'

const CLINIC = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const booked = orderOf({ clinic: CLINIC, isBooked: true, services: [{ status: 'scheduled' }] })

describe('help with finding a clinic', () => {
  test('a request keeps what it understands and cuts what is too long', () => {
    const read = readHelp({
      helpReason: 'noTime',
      helpMiles: '150',
      helpNote: `  ${'x'.repeat(2_000)}`,
      place: ' Mullen ',
    })
    expect(read).toEqual({ reason: 'noTime', details: { place: 'Mullen', miles: 150, note: 'x'.repeat(1_000) } })
    const nothing = { place: null, miles: null, note: null }
    for (const helpMiles of ['', '0', '-1', '2.5', '501', 'far'])
      expect(readHelp({ helpMiles, helpNote: ' ' })).toEqual({ reason: 'other', details: nothing })
  })

  test('of two long notes both are kept, the earlier first, up to a limit that ends the oldest', () => {
    const said = (note: string | null) => ({ place: null, miles: null, note })
    const [first, second] = ['a'.repeat(1_000), 'b'.repeat(1_000)]
    expect(addNote(said(first), said(second)).note).toBe(`${first}\n\n${second}`)
    expect(addNote(said('again'), said('again')).note).toBe('again')
    expect(addNote(said(`${first}\n\nagain`), said('again')).note).toBe(`${first}\n\nagain`)
    const many = Array.from({ length: 9 }, (_, i) => String(i).repeat(1_000))
    const all = many.reduce<string | null>((before, note) => addNote(said(before), said(note)).note, null)
    expect(all?.split('\n\n')).toEqual(many.slice(-4))
  })

  test('help can be asked for until a clinic is booked or nothing is left to attend', () => {
    expect(canAskForHelp(orderOf())).toBe(true)
    expect(canAskForHelp(booked)).toBe(false)
    expect(canAskForHelp(orderOf({ services: [{ status: 'checkedIn' }] }))).toBe(false)
    expect(canAskForHelp(orderOf({ services: [{ category: 'background' }] }))).toBe(false)
  })

  test('a booking or the end of the order ends the need for help, other changes do not', () => {
    expect(endsHelp(orderOf(), booked)).toBe(true)
    expect(endsHelp(orderOf(), orderOf({ ended: 'cancelled', services: [{ status: 'cancelled' }] }))).toBe(true)
    expect(endsHelp(orderOf(), orderOf({ billingCode: '1' }))).toBe(false)
    expect(endsHelp(booked, orderOf())).toBe(false)
  })

  test('saving details changes the participant and where notifications go, and nothing else of the order', () => {
    const order = orderOf({ createdAt: new Date('2027-03-01T12:00:00Z') })
    const participant = { ...order.participant, email: 'new@example.com' }
    const delivery = { ...order.delivery, to: 'new@example.com' }
    const now = new Date('2027-03-01T13:00:00Z')
    expect(saveDetails(order, participant, now)).toEqual({ ...order, participant, delivery, updatedAt: now })
  })
})
