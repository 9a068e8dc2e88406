import { describe, expect, test } from 'vitest'
import { ConfigRefusal, printable, readConfig } from '../../src/cli/run/settings.ts'

const print = (env: Record<string, string>) => printable(readConfig(env))
const SECRET = 'sixteen-letters!'

describe('printed settings', () => {
  test.each([
    ['postgres://me:hidden@db.example:5433/ots', 'postgres://***@db.example:5433/ots'],
    ['postgres://me:hid@den@db.example/ots', 'postgres://***@db.example/ots'],
    ['postgres://:hidden@db.example/ots', 'postgres://***@db.example/ots'],
    ['postgres://db.example/ots?user=me&password=hidden', 'postgres://db.example/ots'],
    [
      'postgres://me@db.example/ots?sslmode=require&sslpassword=hidden',
      'postgres://***@db.example/ots?sslmode=require',
    ],
    ['postgres:///ots?host=/run/postgresql', 'postgres:///ots?host=/run/postgresql'],
  ])('DATABASE_URL=%s is printed as %s', (url, expected) => {
    expect(print({ DATABASE_URL: url })['DATABASE_URL']).toBe(expected)
  })

  test('OTS_SMTP_URL and OTS_SMS_URL are printed as their origin only', () => {
    const settings = print({
      OTS_SMTP_URL: 'smtps://me:hid@den@mail.example:465/?token=hidden',
      OTS_SMS_URL: 'https://sms.example/send/hidden?key=hidden',
    })
    expect(settings['OTS_SMTP_URL']).toBe('smtps://mail.example:465')
    expect(settings['OTS_SMS_URL']).toBe('https://sms.example')
  })
})

describe('production', () => {
  const production = { OTS_MODE: 'production', DATABASE_URL: 'postgres://db.example/ots', OTS_KEYS: SECRET }

  test.each(['all', 'api', 'worker'])(
    'production with the role %s requires OTS_PUBLIC_URL if notifications are sent',
    (role) => {
      for (const server of [{ OTS_SMTP_URL: 'smtp://mail.example' }, { OTS_SMS_URL: 'https://sms.example' }]) {
        const settings = { ...production, OTS_ROLE: role, ...server }
        expect(() => readConfig(settings)).toThrow('OTS_PUBLIC_URL is required with OTS_SMTP_URL or OTS_SMS_URL')
        expect(readConfig({ ...settings, OTS_PUBLIC_URL: 'https://orders.example' }).role).toBe(role)
      }
      expect(readConfig({ ...production, OTS_ROLE: role }).publicUrl).toBeUndefined()
    },
  )
})

describe('OTS_KEYS', () => {
  test('a key has its own id, or one from its hash', () => {
    const { keys } = readConfig({ OTS_KEYS: `one:${SECRET},${SECRET}` })
    expect(keys).toEqual([
      { id: 'one', secret: SECRET },
      { id: expect.stringMatching(/^[0-9a-f]{8}$/) as string, secret: SECRET },
    ])
  })

  test('a key with a short secret is refused, however long its id', () => {
    expect(() => readConfig({ OTS_KEYS: 'a-very-long-id-of-a-key:short' })).toThrow(ConfigRefusal)
    expect(() => readConfig({ OTS_KEYS: SECRET.slice(1) })).toThrow('OTS_KEYS: A key needs at least 16 characters')
  })

  test('two keys with the same id are refused', () => {
    expect(() => readConfig({ OTS_KEYS: `one:${SECRET},one:another-${SECRET}` })).toThrow(
      'OTS_KEYS: Two keys have the same id.',
    )
  })
})

test('an invalid DATABASE_URL is refused without being printed', () => {
  for (const DATABASE_URL of [
    'postgres:me:hidden@db.example/ots',
    'mysql://me:hidden@db.example',
    'postgres://a:hidden@b:x/ots',
  ])
    expect(() => readConfig({ DATABASE_URL })).toThrow(/^DATABASE_URL: (?!.*hidden)/)
})
