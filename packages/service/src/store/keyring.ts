import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'

/** A key as operators give it: a name to find it by, and a secret of any length worth guessing at. */
export interface Key {
  id: string
  secret: string
}

const VERSION = 1
const IV_LENGTH = 12
const TAG_LENGTH = 16

interface DerivedKey {
  id: string
  sealing: KeyObject
  hashing: Buffer
  signing: Buffer
  /** Hashes made lately: a create needs those of its words more than once, and shares some with its neighbours. */
  hashed: Map<string, bigint>
}

const HASHES_REMEMBERED = 5_000

/**
 * Keeps what must not be readable at rest: AES-256-GCM, the id of the key beside the value, so that keys can be
 * changed while values under the old ones are still about. The first key is the current one.
 */
export class Keyring {
  #keys!: Map<string, DerivedKey>
  #current!: DerivedKey
  readonly #reread: (() => Key[]) | undefined

  /** `reread` is asked for the keys again when a value turns up whose key is not known: it may be new. */
  constructor(keys: Key[], reread?: () => Key[]) {
    this.use(keys)
    this.#reread = reread
  }

  /** Works with these keys from now on. */
  use(keys: Key[]): void {
    const derived = keys.map(({ id, secret }) => ({
      id,
      // As an object it need not be made ready for each value.
      sealing: createSecretKey(derive(secret, 'seal')),
      hashing: derive(secret, 'hash'),
      signing: derive(secret, 'sign'),
      hashed: new Map<string, bigint>(),
    }))
    const [current] = derived
    if (!current) throw new Error('A keyring needs a key.')
    this.#keys = new Map(derived.toReversed().map((key) => [key.id, key]))
    this.#current = current
  }

  get currentId(): string {
    return this.#current.id
  }

  /** `context` says whose value this is; opened as anybody else's, it does not open. */
  seal(content: string | Buffer, context: string): Buffer {
    const { id, sealing } = this.#current
    const name = Buffer.from(id)
    const iv = randomBytes(IV_LENGTH)
    const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context))
    const plain = typeof content === 'string' ? Buffer.from(content) : content
    const body = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([Buffer.from([VERSION, name.length]), name, iv, cipher.getAuthTag(), body])
  }

  open(sealed: Buffer, context: string): string {
    return this.openBytes(sealed, context).toString('utf8')
  }

  openBytes(sealed: Buffer, context: string): Buffer {
    const { key, rest } = this.#split(sealed)
    const iv = rest.subarray(0, IV_LENGTH)
    const tag = rest.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH)
    const decipher = createDecipheriv('aes-256-gcm', key.sealing, iv).setAAD(Buffer.from(context)).setAuthTag(tag)
    const bytes = decipher.update(rest.subarray(IV_LENGTH + TAG_LENGTH))
    // Of this cipher it gives no more bytes, but tells whether those before are genuine.
    decipher.final()
    return bytes
  }

  /** Whether a value is under an older key and should be sealed anew. */
  isStale(sealed: Buffer): boolean {
    return this.#split(sealed).key !== this.#current
  }

  /** Proves later that whoever had the current key vouched for a text. */
  sign(text: string): { keyId: string; signature: Buffer } {
    return { keyId: this.#current.id, signature: signWith(this.#current, text) }
  }

  /** Whether a signature is genuine; undefined where its key is not set. */
  isSigned(text: string, { keyId, signature }: { keyId: string; signature: Buffer }): boolean | undefined {
    const key = this.#keys.get(keyId)
    return key && signWith(key, text).equals(signature)
  }

  /** A value as it may be compared but not read: 63 bits, the same for equal values under the current key. */
  hash(value: string): bigint {
    return hashWith(this.#current, value)
  }

  /** The same under every key, to find what was stored before the current one came. */
  hashes(value: string): bigint[] {
    return [...this.#keys.values()].map((key) => hashWith(key, value))
  }

  #split(sealed: Buffer) {
    const end = 2 + (sealed[1] ?? 0)
    const id = sealed.subarray(2, end).toString()
    if (sealed[0] === VERSION && !this.#keys.has(id) && this.#reread) this.use(this.#reread())
    const key = sealed[0] === VERSION ? this.#keys.get(id) : undefined
    if (!key) throw new Error(`No key "${id}" is set that this value could be read with.`)
    return { key, rest: sealed.subarray(end) }
  }
}

const signWith = ({ signing }: DerivedKey, text: string) => createHmac('sha256', signing).update(text).digest()

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secret, 'order-testing-service', purpose, 32))

function hashWith({ hashing, hashed }: DerivedKey, value: string): bigint {
  const known = hashed.get(value)
  if (known !== undefined) return known
  const digest = createHmac('sha256', hashing).update(value).digest()
  const hash = BigInt.asIntN(64, digest.readBigUInt64BE() >> 1n)
  if (hashed.size >= HASHES_REMEMBERED) hashed.clear()
  hashed.set(value, hash)
  return hash
}
