import { describe, expect, test } from 'vitest'
import { AddressRefusal, parseAddress } from '../../src/store/db/address.ts'

describe('an address of a database', () => {
  test.each([
    ['postgres://ots:Sec/ret@db/ots'],
    ['postgres://ots:/Secret@db/ots'],
    ['postgres://ots:Sec?ret@db/ots'],
    ['postgres://ots:Secret'],
    ['postgres://db/ots?password=Secret&pasword=Secret'],
  ])('whose password was cut or left alone is refused without a word of it: %s', (url) => {
    expect(() => parseAddress(url)).toThrow(AddressRefusal)
    expect(() => parseAddress(url)).not.toThrow(/ret|Sec/)
  })

  test('takes a password whose characters are escaped', () => {
    expect(parseAddress('postgres://ots:S%2Fe%3Fc%40t@db/ots')).toMatchObject({
      password: 'S/e?c@t',
      hosts: [{ host: 'db', port: 5432 }],
      database: 'ots',
    })
  })

  test('with a parameter that means nothing is refused, and names those that do', () => {
    expect(() => parseAddress('postgres://db/ots?search_path=mine')).toThrow(
      'The parameter search_path is unknown. Known are host, port,',
    )
  })

  test('gives the server options for each session', () => {
    expect(parseAddress('postgres://db/ots?options=-csearch_path%3Dmine').options).toBe('-csearch_path=mine')
  })

  test('names these connections, and bounds how long one may take to open', () => {
    const { application, connectWithinMs } = parseAddress('postgres://db/ots?application_name=mine&connect_timeout=3')
    expect([application, connectWithinMs]).toEqual(['mine', 3_000])
    expect(() => parseAddress('postgres://db/ots?connect_timeout=soon')).toThrow(
      'connect_timeout is a number of seconds.',
    )
  })

  test.each([
    ['disable', false, true],
    ['prefer', true, true],
    ['require', true, false],
    ['verify-full', true, false],
  ])('with sslmode=%s', (mode, encrypts, allowsPlain) => {
    const address = parseAddress(`postgres://db/ots?sslmode=${mode}`)
    expect([address.ssl !== false, address.allowsPlain]).toEqual([encrypts, allowsPlain])
  })

  test('checks the authorities of the system only together with the name', () => {
    expect(() => parseAddress('postgres://db/ots?sslmode=require&sslrootcert=system')).toThrow(
      'sslrootcert=system needs sslmode=verify-full, not require.',
    )
    expect(parseAddress('postgres://db/ots?sslmode=verify-full&sslrootcert=system').ssl).toMatchObject({
      rejectUnauthorized: true,
    })
  })
})
