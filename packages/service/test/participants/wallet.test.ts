import { createHash, verify } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { readAppleWallet, readGoogleWallet } from '../../src/domain/participants/wallet.ts'
import { commands } from '../cli/run-commands.ts'
import { TENANT } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { operate } from '../support/operator.ts'
import { TEST_KEY, urlOf } from '../support/service.ts'
import { completed, invited, open, participantService, tomorrow } from './given.ts'
import { appleFiles, googleAccount, unzip, verifySignature } from './wallet-files.ts'

const service = participantService()
removeFoldersAfterAll()
let folder: string
let env: Record<string, string>
const google = googleAccount()
beforeAll(async () => {
  folder = await newFolder()
  appleFiles(folder)
  await writeFile(join(folder, 'account.json'), google.file)
  env = { OTS_DATA_DIR: folder, OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`, DATABASE_URL: urlOf(service.target) }
})
const { outputOf, errorOf } = commands(() => env, 'wallet')
const at = (name: string) => join(folder, name)
const setApple = (key = 'key.pem', ...more: string[]) =>
  ['set', 'apple', '--certificate', at('pass.pem'), '--key', at(key), '--issuer', at('ca.pem'), ...more] as const

async function booked() {
  const { order, secret } = await invited(service, { settings: { schedulingOption: 'link', expiresIn: 20 } })
  await completed(service, secret, { way: 'appointment', ...tomorrow('09:30', 2) })
  return { order, secret }
}

const bytesOf = async (path: string) => Buffer.from(await (await fetch(`${service.origin}/o/${path}`)).arrayBuffer())

describe('wallet passes', () => {
  test('a pass has no wallet buttons, and no wallet files, until the tenant has set certificates', async () => {
    const { secret } = await booked()
    expect((await open(service, secret)).text).not.toMatch(/pkpass|\/wallet/)
    for (const file of ['pass.pkpass', 'wallet']) {
      const page = await open(service, `${secret}/${file}`)
      expect([page.status, page.headers.get('location')]).toEqual([303, `/o/${secret}`])
    }
  })

  test('a pass for Apple Wallet is signed, its manifest has the hash of every file, and it names no test', async () => {
    expect(await outputOf(...setApple())).toContain('pass.example.testing')
    const { order, secret } = await booked()
    expect((await open(service, secret)).text).toContain(`href="/o/${secret}/pass.pkpass"`)
    const { headers } = await fetch(`${service.origin}/o/${secret}/pass.pkpass`)
    expect(headers.get('content-type')).toBe('application/vnd.apple.pkpass')
    const files = unzip(await bytesOf(`${secret}/pass.pkpass`))
    const manifest = files.get('manifest.json')!
    const hashes = JSON.parse(manifest.toString()) as Record<string, string>
    const content = [...files].filter(([name]) => !['manifest.json', 'signature'].includes(name))
    expect(hashes).toEqual(
      Object.fromEntries(content.map(([name, bytes]) => [name, createHash('sha1').update(bytes).digest('hex')])),
    )
    const signature = files.get('signature')!
    verifySignature(folder, { signature, manifest })
    expect(() => verifySignature(folder, { signature, manifest: Buffer.from('{}') })).toThrow(/verif/i)
    const pass = JSON.parse(files.get('pass.json')!.toString()) as Record<string, unknown>
    expect(pass).toMatchObject({
      passTypeIdentifier: 'pass.example.testing',
      teamIdentifier: 'TEAM123456',
      organizationName: 'Acme',
      barcodes: [{ message: order.code, format: 'PKBarcodeFormatQR' }, { format: 'PKBarcodeFormatCode128' }],
    })
    expect(JSON.stringify(pass)).toContain('Naperville Occupational Health')
    expect(JSON.stringify(pass)).not.toMatch(/Urine|Maria|Lopez|1990/)
  })

  test('the link to Google Wallet has a token signed by the service account, and names no test', async () => {
    await outputOf('set', 'google', '--issuer-id', '3388000000012345678', '--service-account', at('account.json'))
    const { order, secret } = await booked()
    expect((await open(service, secret)).text).toContain(`href="/o/${secret}/wallet"`)
    const location = (await open(service, `${secret}/wallet`)).headers.get('location')!
    const [header, claims, signature] = location.replace('https://pay.google.com/gp/v/save/', '').split('.')
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${header}.${claims}`),
      google.publicKey,
      Buffer.from(signature!, 'base64url'),
    )
    expect(isSigned).toBe(true)
    const read = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { payload: { genericObjects: object[] } }
    expect(read).toMatchObject({ iss: 'wallet@example.test', aud: 'google', typ: 'savetowallet' })
    expect(read.payload.genericObjects[0]).toMatchObject({
      classId: '3388000000012345678.testing-pass',
      barcode: { type: 'QR_CODE', value: order.code },
    })
    expect(JSON.stringify(read)).not.toMatch(/Urine|Maria|Lopez|1990/)
  })

  test('a visited pass has no wallet buttons any more', async () => {
    const { order, secret } = await booked()
    await operate(service, 'POST', `/orders/${order.id}/services/${order.services[0].id}/moves`, {
      status: 'checkedIn',
    })
    expect((await open(service, secret)).text).not.toMatch(/pkpass|\/wallet/)
    expect((await open(service, `${secret}/pass.pkpass`)).status).toBe(303)
  })
})

describe('ots wallet', () => {
  test('certificates are stored sealed, shown without secrets, recorded, and removed', async () => {
    await outputOf(...setApple('locked.pem', '--passphrase-file', await passphrase()))
    const shown = await outputOf('show')
    expect(shown).toMatch(/apple\s+pass\.example\.testing\s+20/)
    expect(shown).not.toContain('PRIVATE')
    const rows = await service.pool<{ content: Buffer }[]>`select content from wallets where tenant_id = ${TENANT}`
    for (const { content } of rows) expect(content.toString('latin1')).not.toMatch(/PRIVATE|BEGIN/)
    expect(await outputOf('remove', 'apple')).toContain('Removed apple.')
    expect(await outputOf('remove', 'apple')).toContain('Nothing was set for apple.')
    const { data } = (await operate(service, 'GET', '/audit?subjectId=apple')).body as { data: { action: string }[] }
    expect(data.map(({ action }) => action)).toContain('wallet.remove')
    expect(JSON.stringify(data)).not.toContain('PRIVATE')
  })

  test('files that do not belong together are refused with the reason', async () => {
    expect(await errorOf(...setApple('ca-key.pem'))).toContain('The key does not belong to the certificate.')
    expect(await errorOf(...setApple('locked.pem'))).toContain('the passphrase is wrong')
    expect(await errorOf('set', 'apple')).toContain('--certificate')
    expect(await errorOf('set', 'google', '--issuer-id', '33880000', '--service-account', at('pass.pem'))).toContain(
      'not a JSON file',
    )
    const other = await newFolder()
    const files = appleFiles(other, '/CN=Somebody')
    expect(() => readAppleWallet(files, new Date())).toThrow('not a Pass Type ID certificate')
    expect(() => readAppleWallet(files, new Date('2099-01-01'))).toThrow('expired on')
    expect(() => readGoogleWallet('x', '{}')).toThrow('numeric issuer id')
  })
})

async function passphrase(): Promise<string> {
  await writeFile(at('passphrase'), '1234\n')
  return at('passphrase')
}
