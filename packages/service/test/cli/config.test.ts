import { describe, expect, test } from 'vitest'
import { ConfigRefusal, printable, readConfig } from '../../src/cli/run/settings.ts'

const shown = (env: Record<string, string>) => printable(readConfig(env))
const SECRET = 'sixteen-letters!'

describe('settings as people may see them', () => {
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
  ])('a database at %s is shown as %s', (url, expected) => {
    expect(shown({ DATABASE_URL: url })['DATABASE_URL']).toBe(expected)
  })

  test('mail and text message services are shown by their origin alone', () => {
    const settings = shown({
      OTS_SMTP_URL: 'smtps://me:hid@den@mail.example:465/?token=hidden',
      OTS_SMS_URL: 'https://sms.example/send/hidden?key=hidden',
    })
    expect(settings['OTS_SMTP_URL']).toBe('smtps://mail.example:465')
    expect(settings['OTS_SMS_URL']).toBe('https://sms.example')
  })
})

describe('production', () => {
  const production = { OTS_MODE: 'production', DATABASE_URL: 'postgres://db.example/ots', OTS_KEYS: SECRET }

  test.each(['all', 'api', 'worker'])('of the role %s needs OTS_PUBLIC_URL where messages are sent', (role) => {
    for (const server of [{ OTS_SMTP_URL: 'smtp://mail.example' }, { OTS_SMS_URL: 'https://sms.example' }]) {
      const settings = { ...production, OTS_ROLE: role, ...server }
      expect(() => readConfig(settings)).toThrow('OTS_PUBLIC_URL is needed where messages are sent')
      expect(readConfig({ ...settings, OTS_PUBLIC_URL: 'https://orders.example' }).role).toBe(role)
    }
    expect(readConfig({ ...production, OTS_ROLE: role }).publicUrl).toBeUndefined()
  })
})

describe('keys', () => {
  test('have an id of their own, or are called by a piece of their hash', () => {
    const { keys } = readConfig({ OTS_KEYS: `one:${SECRET},${SECRET}` })
    expect(keys).toEqual([
      { id: 'one', secret: SECRET },
      { id: expect.stringMatching(/^[0-9a-f]{8}$/) as string, secret: SECRET },
    ])
  })

  test('are refused where the secret is short, however long the id', () => {
    expect(() => readConfig({ OTS_KEYS: 'a-very-long-id-of-a-key:short' })).toThrow(ConfigRefusal)
    expect(() => readConfig({ OTS_KEYS: SECRET.slice(1) })).toThrow('OTS_KEYS: A key has at least 16 characters')
  })

  test('are refused where two have the same id', () => {
    expect(() => readConfig({ OTS_KEYS: `one:${SECRET},one:another-${SECRET}` })).toThrow(
      'OTS_KEYS: Two keys have the same id.',
    )
  })
})

test('an address of the database that cannot be read is refused without being shown', () => {
  for (const DATABASE_URL of [
    'postgres:me:hidden@db.example/ots',
    'mysql://me:hidden@db.example',
    'postgres://a:hidden@b:x/ots',
  ])
    expect(() => readConfig({ DATABASE_URL })).toThrow(/^DATABASE_URL: (?!.*hidden)/)
})
