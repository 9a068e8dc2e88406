import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AddressRefusal, parseAddress } from '../../src/store/db/address.ts'
import { Unavailable } from '../../src/store/db/errors.ts'
import { connect } from '../../src/store/db/pool.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { startTlsServer, type TlsServer } from './tls-server.ts'

let folder: string
let server: TlsServer
beforeAll(async () => {
  folder = await newFolder()
  server = await startTlsServer(folder)
})
afterAll(() => server?.stop())
removeFoldersAfterAll()

type Parameters = Record<string, string>

/** Parameters that end in .crt or .key name files of the test. */
function addressOf(parameters: Parameters, { user = 'ots', host = 'localhost' } = {}): string {
  const inFolder = (value: string) => (/\.(crt|key)$/.test(value) ? join(folder, value) : value)
  const entries = Object.entries(parameters).map(([name, value]): [string, string] => [name, inFolder(value)])
  return `postgres://${user}@${host}:${server.port}/postgres?${String(new URLSearchParams(entries))}`
}

/** Whether a connection is encrypted, or why there is none. */
async function tryAddress(parameters: Parameters, who: { user?: string; host?: string } = {}) {
  const pool = connect(addressOf(parameters, who), { max: 1, connectWithinMs: 30_000, waitMs: 30_000 })
  try {
    const { ssl } = await pool.only<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return ssl ? 'encrypted' : 'plain'
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return error.message
  } finally {
    await pool.end()
  }
}

describe('a server that requires encryption', () => {
  test.each([
    [{ sslmode: 'allow' }],
    [{ sslmode: 'prefer' }],
    [{ sslmode: 'require' }],
    [{ sslmode: 'require', sslrootcert: 'ca.crt' }],
    [{ sslmode: 'verify-ca', sslrootcert: 'ca.crt' }],
    [{ sslmode: 'verify-full', sslrootcert: 'ca.crt' }],
    [{ sslrootcert: 'ca.crt' }],
  ])('a connection with %j is encrypted', async (parameters: Parameters) => {
    expect(await tryAddress(parameters)).toBe('encrypted')
  })

  test.each([[{}], [{ sslmode: 'disable' }]])(
    'a connection with %j fails, and the message says what to add',
    async (parameters) => {
      expect(await tryAddress(parameters as Parameters)).toBe(
        'The server at localhost accepts only encrypted connections from here: add sslmode=verify-full to DATABASE_URL.',
      )
    },
  )

  const UNKNOWN =
    'The certificate of localhost is signed by an unknown authority: set sslrootcert to the certificate of that authority.'
  test.each([
    [{ sslmode: 'verify-ca', sslrootcert: 'other-ca.crt' }],
    [{ sslmode: 'verify-full', sslrootcert: 'other-ca.crt' }],
    [{ sslmode: 'require', sslrootcert: 'other-ca.crt' }],
    [{ sslmode: 'verify-full' }],
    [{ sslmode: 'verify-full', sslrootcert: 'system' }],
  ])('a certificate of an authority that %j does not trust is refused', async (parameters: Parameters) => {
    expect(await tryAddress(parameters)).toBe(UNKNOWN)
  })

  test('verify-full refuses a certificate for another name, and verify-ca does not', async () => {
    const host = '127.0.0.1'
    expect(await tryAddress({ sslmode: 'verify-full', sslrootcert: 'ca.crt' }, { host })).toBe(
      'The certificate of the server is not for the name 127.0.0.1: connect by a name that it is for, or have one issued for 127.0.0.1.',
    )
    expect(await tryAddress({ sslmode: 'verify-ca', sslrootcert: 'ca.crt' }, { host })).toBe('encrypted')
  })
})

describe('a server that requires a client certificate', () => {
  const user = 'carded'
  const trusting = { sslmode: 'verify-full', sslrootcert: 'ca.crt' }

  test('a client certificate of the right authority is accepted, also with an encrypted key', async () => {
    expect(await tryAddress({ ...trusting, sslcert: 'client.crt', sslkey: 'client.key' }, { user })).toBe('encrypted')
    const locked = { sslcert: 'client.crt', sslkey: 'locked.key', sslpassword: 'open-sesame' }
    expect(await tryAddress({ ...trusting, ...locked }, { user })).toBe('encrypted')
  })

  test('a missing client certificate is named, with the parameters to set', async () => {
    expect(await tryAddress(trusting, { user })).toBe(
      'The server at localhost requires a client certificate: set sslcert and sslkey.',
    )
  })

  test('a client certificate of another authority is refused, with what the server expects', async () => {
    expect(await tryAddress({ ...trusting, sslcert: 'stranger.crt', sslkey: 'stranger.key' }, { user })).toBe(
      "The server at localhost does not accept the client certificate: set sslcert to one that is signed by an authority in the server's ssl_ca_file.",
    )
  })
})

describe('a server that allows both, or refuses encryption', () => {
  test('allow connects without encryption first, and prefer with it', async () => {
    expect(await tryAddress({ sslmode: 'allow' }, { user: 'either' })).toBe('plain')
    expect(await tryAddress({ sslmode: 'prefer' }, { user: 'either' })).toBe('encrypted')
    expect(await tryAddress({ sslmode: 'disable' }, { user: 'either' })).toBe('plain')
  })

  test('prefer falls back to a plain connection if the server refuses the encrypted one, and require does not', async () => {
    expect(await tryAddress({ sslmode: 'prefer' }, { user: 'open' })).toBe('plain')
    expect(await tryAddress({ sslmode: 'require' }, { user: 'open' })).toMatch(/pg_hba\.conf rejects connection/)
  })
})

describe('files and modes that cannot be used', () => {
  const refusalOf = (parameters: Parameters) => {
    try {
      parseAddress(addressOf(parameters))
    } catch (error) {
      if (!(error instanceof AddressRefusal)) throw error
      return error.message.replaceAll(folder, '…')
    }
    return 'accepted'
  }

  test('every parameter that cannot be used is refused in a sentence that says why', async () => {
    await writeFile(join(folder, 'empty.crt'), 'nothing')
    const mine = { sslmode: 'verify-full', sslrootcert: 'ca.crt' }
    expect([
      refusalOf({ sslmode: 'strict' }),
      refusalOf({ ...mine, sslrootcert: 'none.crt' }),
      refusalOf({ ...mine, sslrootcert: 'empty.crt' }),
      refusalOf({ ...mine, sslcert: 'client.crt' }),
      refusalOf({ ...mine, sslkey: 'client.key' }),
      refusalOf({ ...mine, sslcert: 'none.crt', sslkey: 'client.key' }),
      refusalOf({ ...mine, sslcert: 'client.crt', sslkey: 'none.key' }),
      refusalOf({ ...mine, sslcert: 'empty.crt', sslkey: 'client.key' }),
      refusalOf({ ...mine, sslcert: 'client.crt', sslkey: 'stranger.key' }),
      refusalOf({ ...mine, sslcert: 'client.crt', sslkey: 'locked.key' }),
      refusalOf({ ...mine, sslcert: 'client.crt', sslkey: 'locked.key', sslpassword: 'sesame' }),
      refusalOf({ sslmode: 'verify-ca', sslrootcert: 'system' }),
      refusalOf({ ...mine, sslcert: 'client.crt', sslkey: 'client.key' }),
    ]).toEqual([
      'Unknown sslmode=strict. Use one of disable, allow, prefer, require, verify-ca, verify-full.',
      'sslrootcert: There is no file …/none.crt.',
      'sslrootcert is not a certificate in PEM format.',
      'Set both sslcert and sslkey, or neither: a client certificate is of use only with its key.',
      'Set both sslcert and sslkey, or neither: a client certificate is of use only with its key.',
      'sslcert: There is no file …/none.crt.',
      'sslkey: There is no file …/none.key.',
      'sslcert is not a certificate in PEM format.',
      'sslcert and sslkey do not belong together: sslkey must be the key of sslcert.',
      'sslkey is encrypted: set sslpassword.',
      'sslkey is not a key in PEM format, or sslpassword is wrong.',
      'sslrootcert=system requires sslmode=verify-full, not verify-ca.',
      'accepted',
    ])
  })
})

test('commands report a failure of encryption as one sentence, followed by the database', async () => {
  const failing = addressOf({ sslmode: 'verify-full', sslrootcert: 'other-ca.crt' })
  const { code, stdout, stderr } = await ots(['audit', 'verify'], { DATABASE_URL: failing, OTS_DATA_DIR: folder })
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    'Cannot reach the database: The certificate of localhost is signed by an unknown authority: ' +
      'set sslrootcert to the certificate of that authority.\n' +
      `Database: postgres://***@localhost:${server.port}/postgres?sslmode=verify-full\n`,
  ])
  const wrong = await ots(['audit', 'verify'], { DATABASE_URL: addressOf({ sslmode: 'strict' }), OTS_DATA_DIR: folder })
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    'DATABASE_URL: Unknown sslmode=strict. Use one of disable, allow, prefer, require, verify-ca, verify-full.\n',
  ])
})
