import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigRefusal, printable, readConfig } from '../../src/cli/run/settings.ts'
import { newFolder } from '../support/folders.ts'

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

describe('single sign-on', () => {
  const OIDC = {
    OTS_OIDC_ISSUER: 'https://login.example',
    OTS_OIDC_CLIENT_ID: 'console',
    OTS_OIDC_CLIENT_SECRET: 'hidden',
  }

  test('the settings of the provider are printed without its secret', () => {
    expect(print({ ...OIDC, OTS_OIDC_NAME: 'Company login', OTS_SESSION_IDLE: '10m' })).toMatchObject({
      OTS_OIDC_ISSUER: 'https://login.example',
      OTS_OIDC_CLIENT_ID: 'console',
      OTS_OIDC_CLIENT_SECRET: '(set)',
      OTS_OIDC_NAME: 'Company login',
      OTS_SESSION_LIFETIME: '43200s',
      OTS_SESSION_IDLE: '600s',
    })
  })

  test('a provider needs its address, id and secret', () => {
    for (const name of Object.keys(OIDC)) {
      const some = Object.fromEntries(Object.entries(OIDC).filter(([each]) => each !== name))
      expect(() => readConfig(some)).toThrow(
        'Set all of OTS_OIDC_ISSUER, OTS_OIDC_CLIENT_ID and OTS_OIDC_CLIENT_SECRET',
      )
    }
  })

  test('a provider without https is refused, except on this machine', () => {
    expect(() => readConfig({ ...OIDC, OTS_OIDC_ISSUER: 'http://login.example' })).toThrow('Expected https')
    expect(readConfig({ ...OIDC, OTS_OIDC_ISSUER: 'http://127.0.0.1:4000' }).oidcIssuer).toBe('http://127.0.0.1:4000')
  })

  test('production with a provider requires OTS_PUBLIC_URL', () => {
    const production = { OTS_MODE: 'production', DATABASE_URL: 'postgres://db.example/ots', OTS_KEYS: SECRET }
    expect(() => readConfig({ ...production, ...OIDC })).toThrow('OTS_PUBLIC_URL is required with OTS_OIDC_ISSUER')
    expect(readConfig({ ...production, ...OIDC, OTS_PUBLIC_URL: 'https://orders.example' }).oidcClientId).toBe(
      'console',
    )
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

describe('OTS_DATABASE_READ_URL', () => {
  const DATABASE_URL = 'postgres://user:secret@db/ots'
  const withReplica = (address: string) => () => readConfig({ DATABASE_URL, OTS_DATABASE_READ_URL: address })

  test('the address of a replica is printed without user and password', () => {
    const printed = printable(withReplica('postgres://user:secret@standby/ots')())
    expect([printed['OTS_DATABASE_READ_URL'], printed['OTS_DATABASE_READ_LAG']]).toEqual([
      'postgres://***@standby/ots',
      '5s',
    ])
  })

  test('a replica is one standby of a database that is named, too', () => {
    const refusal = 'OTS_DATABASE_READ_URL: Expected one host, without target_session_attrs.'
    expect(withReplica('postgres://user@one,two/ots')).toThrow(refusal)
    expect(withReplica('postgres://user@one/ots?target_session_attrs=primary')).toThrow(refusal)
    expect(() => readConfig({ OTS_DATABASE_READ_URL: 'postgres://user@one/ots' })).toThrow(
      'OTS_DATABASE_READ_URL requires DATABASE_URL',
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

describe('settings that cannot be read', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT: Expected a whole number from 0 to 65535, but it is "abc".'],
    [{ PORT: '65536' }, 'PORT: Expected a whole number from 0 to 65535, but it is "65536".'],
    [{ OTS_RATE_LIMIT: '1e3' }, 'OTS_RATE_LIMIT: Expected a whole number from 0 to 1000000000, but it is "1e3".'],
    [{ OTS_MODE: 'prod' }, 'OTS_MODE: Expected sandbox or production, but it is "prod".'],
    [{ OTS_DOCS: 'yes' }, 'OTS_DOCS: Expected on or off, but it is "yes".'],
    [{ OTS_DRAIN: '5' }, 'OTS_DRAIN: Expected a duration such as 500ms, 10s or 2m, but it is "5".'],
    [{ OTS_REQUEST_TIMEOUT: '1ms' }, 'OTS_REQUEST_TIMEOUT: Expected at least 100ms, but it is "1ms".'],
    [
      { OTS_RETRY_SCHEDULE: '0s,soon' },
      'OTS_RETRY_SCHEDULE: Expected durations such as 0s,5s,2m,1h, but it is "0s,soon".',
    ],
    [
      { OTS_TRUST_PROXY: '10.0.0.0' },
      'OTS_TRUST_PROXY: Expected ranges such as 10.0.0.0/8, separated by commas, or none, but it is "10.0.0.0".',
    ],
    [
      { OTS_SMTP_URL: 'mail.example' },
      'OTS_SMTP_URL: Expected an address such as smtp://user:password@mail.example:587.',
    ],
    [
      { OTS_PUBLIC_URL: 'https://orders.example/tests' },
      'OTS_PUBLIC_URL: Expected an address without a path, such as https://orders.example: the service answers at the root of its host, but it is "https://orders.example/tests".',
    ],
    [{ OTS_ADMIN_PORT: '3000' }, 'OTS_ADMIN_PORT and PORT must differ.'],
  ])('%o is refused with the value and the expected form', (env, message) => {
    expect(() => readConfig(env)).toThrow(new ConfigRefusal(message))
  })

  test.each([
    ['OTS_RATELIMIT', 'OTS_RATE_LIMIT'],
    ['OTS_CALLBACKS_ALLOW', 'OTS_CALLBACK_ALLOW'],
    ['ots_mode', 'OTS_MODE'],
    ['OTS_KEY', 'OTS_KEYS'],
    ['OTS_MODE_FILE', 'OTS_MODE'],
  ])('%s is refused, and %s is proposed', (name, nearest) => {
    const message = `${name} is not a setting. Did you mean ${nearest}?`
    expect(() => readConfig({ [name]: 'x' })).toThrow(new ConfigRefusal(message))
    expect(readConfig({ [name]: '' }).mode).toBe('sandbox')
  })

  test('everything that is wrong is reported at once', () => {
    const env = { PORT: 'x', OTS_ROLES: 'api', OTS_DOCS: 'maybe' }
    expect(() => readConfig(env)).toThrow(/^OTS_ROLES .*\nPORT: .*\nOTS_DOCS: .*$/)
  })

  test('a blank setting is not set, and spaces around a value do not matter', () => {
    const { rateLimit, port, mode } = readConfig({ OTS_RATE_LIMIT: ' ', PORT: ' 8080 ', OTS_MODE: '\t' })
    expect({ rateLimit, port, mode }).toEqual({ rateLimit: 1200, port: 8080, mode: 'sandbox' })
  })

  test('what clients use may be set, too', () => {
    expect(readConfig({ OTS_URL: 'http://localhost:3000', OTS_TOKEN: 'x', OTS_OPERATOR_TOKEN: 'y' }).port).toBe(3000)
  })
})

describe('secrets in files', () => {
  let folder: string
  beforeAll(async () => {
    folder = await newFolder()
    await writeFile(join(folder, 'keys'), `one:${SECRET}\ntwo:${SECRET}\n`)
    await writeFile(join(folder, 'url'), 'postgres://me:hidden@db.example/ots\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('a secret is read from its file', () => {
    const { keys, databaseUrl } = readConfig({
      OTS_KEYS_FILE: join(folder, 'keys'),
      DATABASE_URL_FILE: join(folder, 'url'),
    })
    expect(keys.map(({ id }) => id)).toEqual(['one', 'two'])
    expect(databaseUrl).toBe('postgres://me:hidden@db.example/ots')
  })

  test('a secret that is set twice, or whose file cannot be read, is refused', () => {
    const missing = join(folder, 'missing')
    expect(() => readConfig({ OTS_KEYS: SECRET, OTS_KEYS_FILE: join(folder, 'keys') })).toThrow(
      'Set OTS_KEYS or OTS_KEYS_FILE, not both.',
    )
    expect(() => readConfig({ OTS_SMTP_URL_FILE: missing })).toThrow(
      `OTS_SMTP_URL_FILE: Cannot read "${missing}" (ENOENT).`,
    )
  })
})
