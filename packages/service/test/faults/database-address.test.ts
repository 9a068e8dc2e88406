import { describe, expect, test } from 'vitest'
import { AddressRefusal, parseAddress } from '../../src/store/db/address.ts'

describe('database address', () => {
  test.each([
    ['postgres://ots:Sec/ret@db/ots'],
    ['postgres://ots:/Secret@db/ots'],
    ['postgres://ots:Sec?ret@db/ots'],
    ['postgres://ots:Secret'],
    ['postgres://db/ots?password=Secret&pasword=Secret'],
  ])('an address with an unescaped or incomplete password is refused without quoting it: %s', (url) => {
    expect(() => parseAddress(url)).toThrow(AddressRefusal)
    expect(() => parseAddress(url)).not.toThrow(/ret|Sec/)
  })

  test('an escaped password is decoded', () => {
    expect(parseAddress('postgres://ots:S%2Fe%3Fc%40t@db/ots')).toMatchObject({
      password: 'S/e?c@t',
      hosts: [{ host: 'db', port: 5432 }],
      database: 'ots',
    })
  })

  test('an unknown parameter is refused with the list of known ones', () => {
    expect(() => parseAddress('postgres://db/ots?search_path=mine')).toThrow(
      'Unknown parameter search_path. Known parameters: host, port,',
    )
  })

  test('the parameter options is passed to the server', () => {
    expect(parseAddress('postgres://db/ots?options=-csearch_path%3Dmine').options).toBe('-csearch_path=mine')
  })

  test('application_name and connect_timeout apply to connections', () => {
    const { application, connectWithinMs } = parseAddress('postgres://db/ots?application_name=mine&connect_timeout=3')
    expect([application, connectWithinMs]).toEqual(['mine', 3_000])
    expect(() => parseAddress('postgres://db/ots?connect_timeout=soon')).toThrow(
      'connect_timeout must be a number of seconds.',
    )
  })

  test.each([
    ['disable', false, true],
    ['prefer', true, true],
    ['require', true, false],
    ['verify-full', true, false],
  ])('sslmode=%s decides whether a connection is encrypted and may be plain', (mode, encrypts, allowsPlain) => {
    const address = parseAddress(`postgres://db/ots?sslmode=${mode}`)
    expect([address.ssl !== false, address.allowsPlain]).toEqual([encrypts, allowsPlain])
  })

  test('sslrootcert=system requires sslmode=verify-full', () => {
    expect(() => parseAddress('postgres://db/ots?sslmode=require&sslrootcert=system')).toThrow(
      'sslrootcert=system requires sslmode=verify-full, not require.',
    )
    expect(parseAddress('postgres://db/ots?sslmode=verify-full&sslrootcert=system').ssl).toMatchObject({
      rejectUnauthorized: true,
    })
  })
})
