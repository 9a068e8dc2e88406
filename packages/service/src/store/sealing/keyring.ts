import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomFillSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { hashWith, prefixCodeWith } from './keyed-codes.ts'

/** A sealed value cannot be opened with the keys at hand. */
export class SealRefusal extends Error {}

/** A key as operators configure it; the secret may have any length. */
export interface Key {
  id: string
  secret: string
}

const VERSION = 1
const IV_LENGTH = 12
const TAG_LENGTH = 16

interface DerivedKey {
  id: string
  /** The first bytes of every value sealed with it. */
  header: Buffer
  sealing: KeyObject
  hashing: (text: string) => bigint
  coding: Buffer
  signing: Buffer
  prefixing: (text: string, salt: bigint) => Buffer
}

/**
 * Encrypts data at rest with AES-256-GCM. Values carry the id of their key, so that keys can be rotated while values are still
 * sealed with older ones. The first key is the current one.
 */
export class Keyring {
  #keys!: Map<string, DerivedKey>
  #current!: DerivedKey
  readonly #reread: (() => Key[]) | undefined

  /** `reread` reloads the keys when a value has an unknown key id: the key may be new. */
  constructor(keys: Key[], reread?: () => Key[]) {
    this.use(keys)
    this.#reread = reread
  }

  use(keys: Key[]): void {
    const derived = keys.map(({ id, secret }) => ({
      id,
      header: Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(id)]), Buffer.from(id)]),
      // A KeyObject is prepared once, not for each value.
      sealing: createSecretKey(derive(secret, 'seal')),
      hashing: hashWith(derive(secret, 'hash')),
      coding: derive(secret, 'code'),
      signing: derive(secret, 'sign'),
      prefixing: prefixCodeWith(derive(secret, 'prefix')),
    }))
    const [current] = derived
    if (!current) throw new Error('A keyring needs a key.')
    this.#keys = new Map(derived.toReversed().map((key) => [key.id, key]))
    this.#current = current
  }

  /** The ids of all keys, the current one first. */
  get ids(): string[] {
    return [...new Set([this.currentId, ...this.#keys.keys()])]
  }

  get currentId(): string {
    return this.#current.id
  }

  /** `context` binds the value to its row and column: it cannot be opened in another context. */
  seal(content: string | Buffer, context: string): Buffer {
    const { header, sealing } = this.#current
    const iv = nextIv()
    const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context))
    const body = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
    // GCM returns no more bytes here, but computes the tag.
    cipher.final()
    return Buffer.concat([header, iv, cipher.getAuthTag(), body])
  }

  open(sealed: Buffer, context: string): string {
    return this.openBytes(sealed, context).toString('utf8')
  }

  openBytes(sealed: Buffer, context: string): Buffer {
    const { header, sealing } = this.#keyOf(sealed)
    const tagAt = header.length + IV_LENGTH
    const bodyAt = tagAt + TAG_LENGTH
    const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(header.length, tagAt))
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(tagAt, bodyAt))
    const bytes = decipher.update(sealed.subarray(bodyAt))
    try {
      // GCM returns no more bytes here, but verifies the tag.
      decipher.final()
    } catch {
      throw new SealRefusal('A sealed value does not open: a key has another secret now, or the value was changed.')
    }
    return bytes
  }

  /** Whether a value is sealed with an older key. */
  isStale(sealed: Buffer): boolean {
    return this.#keyOf(sealed) !== this.#current
  }

  sign(text: string): { keyId: string; signature: Buffer } {
    return { keyId: this.#current.id, signature: signWith(this.#current, text) }
  }

  /** Whether a signature is valid; undefined if its key is not set. */
  isSigned(text: string, { keyId, signature }: { keyId: string; signature: Buffer }): boolean | undefined {
    const key = this.#keys.get(keyId)
    return key && signWith(key, text).equals(signature)
  }

  /** A keyed hash of 63 bits under the current key, to compare values without storing them. */
  hash(value: string): bigint {
    return this.#current.hashing(value)
  }

  /** The hash under every key, to find rows that were hashed with an older one. */
  hashes(value: string): bigint[] {
    return [...this.#keys.values()].map(({ hashing }) => hashing(value))
  }

  /** HMAC-SHA-256 of a content, bound to its context like a sealed value. */
  code(content: Buffer, context: string): Buffer {
    return codeWith(this.#current, content, context)
  }

  /** Whether the code is that of this content, under any key. */
  isCodeOf(code: Buffer, content: Buffer, context: string): boolean {
    return [...this.#keys.values()].some((key) => {
      const expected = codeWith(key, content, context)
      return expected.length === code.length && timingSafeEqual(expected, code)
    })
  }

  /** A keyed code of a text under the current key: texts with the same beginning have codes with the same beginning. */
  prefixCode(text: string, context: string): Buffer {
    return this.#current.prefixing(text, this.hash(context))
  }

  /** The code under every key. */
  prefixCodes(text: string, context: string): Buffer[] {
    return [...this.#keys.values()].map(({ prefixing, hashing }) => prefixing(text, hashing(context)))
  }

  #keyOf(sealed: Buffer): DerivedKey {
    const id = sealed.toString('utf8', 2, 2 + (sealed[1] ?? 0))
    if (sealed[0] === VERSION && !this.#keys.has(id) && this.#reread) this.use(this.#reread())
    const key = sealed[0] === VERSION ? this.#keys.get(id) : undefined
    if (!key) throw new SealRefusal(`A value is sealed with the key "${id}", which is not set.`)
    return key
  }
}

const signWith = ({ signing }: DerivedKey, text: string) => createHmac('sha256', signing).update(text).digest()

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'order-testing-service', purpose, 32))

const codeWith = ({ coding }: DerivedKey, content: Buffer, context: string) =>
  createHmac('sha256', coding).update(`${context}\n`).update(content).digest()

const IVS_AT_ONCE = 256
const ivs = Buffer.alloc(IVS_AT_ONCE * IV_LENGTH)
let ivsUsed = IVS_AT_ONCE

/** Random bytes for 256 values at a time: a call for 12 bytes takes as long as the rest of sealing. */
function nextIv(): Buffer {
  if (ivsUsed === IVS_AT_ONCE) {
    randomFillSync(ivs)
    ivsUsed = 0
  }
  const start = ivsUsed++ * IV_LENGTH
  return ivs.subarray(start, start + IV_LENGTH)
}
