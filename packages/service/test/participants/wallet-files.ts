import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const openssl = (folder: string, ...args: string[]) =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** A certificate authority and a Pass Type ID certificate like Apple's, in files of a folder. */
export function appleFiles(folder: string, subject = '/UID=pass.example.testing/OU=TEAM123456/CN=Pass Type ID') {
  const ca = ['-newkey', 'rsa:2048', '-nodes', '-keyout', 'ca-key.pem', '-out', 'ca.pem', '-subj', '/CN=Test WWDR']
  openssl(folder, 'req', '-x509', '-days', '30', ...ca)
  openssl(folder, 'req', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'pass.csr', '-subj', subject)
  const by = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial']
  openssl(folder, 'x509', '-req', '-in', 'pass.csr', '-days', '20', '-out', 'pass.pem', ...by)
  openssl(folder, 'rsa', '-in', 'key.pem', '-aes256', '-passout', 'pass:1234', '-out', 'locked.pem')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return { certificate: read('pass.pem'), key: read('key.pem'), issuer: read('ca.pem') }
}

/** Throws unless the signature of the manifest is valid and chains to the authority in the folder. */
export function verifySignature(folder: string, { signature, manifest }: { signature: Buffer; manifest: Buffer }) {
  writeFileSync(join(folder, 'signature'), signature)
  writeFileSync(join(folder, 'manifest.json'), manifest)
  const files = ['-in', 'signature', '-inform', 'DER', '-content', 'manifest.json', '-CAfile', 'ca.pem']
  openssl(folder, 'cms', '-verify', '-binary', '-purpose', 'any', '-out', 'verified', ...files)
}

/** The files of a zip archive that is not compressed. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  for (let at = 0; archive.readUInt32LE(at) === 0x04_03_4b_50;) {
    const [size, nameLength, extra] = [
      archive.readUInt32LE(at + 18),
      archive.readUInt16LE(at + 26),
      archive.readUInt16LE(at + 28),
    ]
    const start = at + 30 + nameLength + extra
    files.set(archive.toString('utf8', at + 30, at + 30 + nameLength), archive.subarray(start, start + size))
    at = start + size
  }
  return files
}

/** The key file of a Google service account, and its public key. */
export function googleAccount() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { file: JSON.stringify({ client_email: 'wallet@example.test', private_key: key }), publicKey }
}
