import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/cli/run/settings.ts'
import { findStartWarnings } from '../../src/cli/run/start-warnings.ts'

const PRODUCTION = {
  OTS_MODE: 'production',
  DATABASE_URL: 'postgres://db/ots',
  OTS_KEYS: 'one:a-secret-of-some-length',
  OTS_PUBLIC_URL: 'https://orders.example',
  OTS_SMTP_URL: 'smtp://mail.example',
  OTS_SMS_URL: 'https://texts.example',
}

const warningsOf = (env: Record<string, string>) => findStartWarnings(readConfig(env)).map((text) => text.split(':')[0])

describe('warnings at the start', () => {
  test('a service with all settings, and a sandbox, which has a mailbox, start without warnings', () => {
    expect(warningsOf(PRODUCTION)).toEqual([])
    expect(warningsOf({})).toEqual([])
  })

  test.each([
    [{ OTS_SMTP_URL: '' }, ['OTS_SMTP_URL is not set', 'OTS_SMTP_URL is not set']],
    [{ OTS_SMTP_URL: '', OTS_ROLE: 'worker' }, ['OTS_SMTP_URL is not set']],
    [{ OTS_SMTP_URL: '', OTS_ROLE: 'api' }, ['OTS_SMTP_URL is not set']],
    [{ OTS_SMS_URL: '' }, ['OTS_SMS_URL is not set']],
    [{ OTS_SMS_URL: '', OTS_ROLE: 'api' }, []],
    [{ OTS_OUTBOUND: 'off' }, ['OTS_OUTBOUND=off']],
    [{ OTS_PUBLIC_URL: 'http://orders.example' }, ['OTS_PUBLIC_URL begins with http']],
    [
      { OTS_SMTP_URL: '', OTS_SMS_URL: '', OTS_PUBLIC_URL: '', OTS_ROLE: 'api' },
      ['OTS_SMTP_URL is not set', 'OTS_PUBLIC_URL is not set'],
    ],
  ])('in production, %j is warned of', (env, warned) => {
    expect(warningsOf({ ...PRODUCTION, ...(env as Record<string, string>) })).toEqual(warned)
  })
})
