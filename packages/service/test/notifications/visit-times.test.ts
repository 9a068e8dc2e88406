import { describe, expect, test } from 'vitest'
import type { PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification } from '../../src/notify/compose.ts'
import { orderOf } from '../orders/given.ts'

const CLINIC = { id: 'naperville', name: 'Naperville Occupational Health', phone: null, address: null }

const composed = (kind: PersonKind, members: Parameters<typeof orderOf>[0] = {}, given: { goneAt?: Date } = {}) =>
  composeNotification(kind, {
    order: orderOf({
      clinic: CLINIC,
      isBooked: true,
      appointmentAt: new Date('2027-01-09T15:30:00Z'),
      expiresAt: new Date('2027-01-16T05:00:00Z'),
      ...members,
    }),
    link: 'https://orders.example/o/secret',
    zone: 'America/Chicago',
    now: new Date('2027-01-08T15:30:00Z'),
    ...given,
  })

/** With plain spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('the time of a visit in notifications', () => {
  test('a planned arrival is called so in every notification, in both languages, and never a booking', () => {
    const kinds: PersonKind[] = [
      'booking',
      'bookingChanged',
      'bookingReminder',
      'bookingWithdrawn',
      'reminder',
      'clinicChosen',
    ]
    for (const language of ['en', 'es'] as const)
      for (const kind of kinds) {
        const isBooked = kind !== 'bookingWithdrawn'
        const content = composed(kind, { language, isArrival: true, isBooked }, { goneAt: new Date() })
        const file = Buffer.from(content.attachments[0]?.content ?? '', 'base64')
          .toString()
          .replaceAll('\r\n ', '')
        for (const said of [content.subject, content.text, content.short, ...(/^SUMMARY:.*$/m.exec(file) ?? [])]) {
          expect([kind, said]).toEqual([kind, expect.stringMatching(/planned|prevista/i)])
          const rest = said.replaceAll(/sin cita/g, '')
          expect([kind, rest]).toEqual([kind, expect.not.stringMatching(/\b(book|appointment|citas?\b)/i)])
        }
      }
    expect(plain(composed('booking', { isArrival: true }).subject)).toBe('Planned arrival: Sat, Jan 9, 9:30 AM CT')
    expect(plain(composed('booking', { isArrival: true }).short)).toContain(
      'Planned arrival: Sat, Jan 9, 9:30 AM CT, Naperville Occupational Health. No time is reserved.',
    )
  })

  test('subjects name the zone of a time', () => {
    for (const kind of ['booking', 'bookingChanged', 'bookingReminder', 'reminder', 'clinicChosen'] as const)
      expect(plain(composed(kind).subject)).toMatch(/9:30 AM CT$/)
    expect(plain(composed('booking', { language: 'es' }).subject)).toBe(
      'Su cita: sáb 9 de ene, 9:30 a. m. (hora central)',
    )
  })
})
