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

/** A value that the keys do not open. */
export class SealRefusal extends Error {}

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
  /** What every value sealed with it begins with. */
  header: Buffer
  sealing: KeyObject
  hashing: Buffer
  coding: Buffer
  signing: Buffer
  /** Hashes made lately: a create needs those of its words more than once, and shares some with its neighbours. */
  hashed: Map<string, bigint>
}

const HASHES_REMEMBERED = 5_000

/**
 * Seals what must not be readable at rest: AES-256-GCM, with the id of the key beside the value, so that keys can be
 * changed while values are still sealed with the old ones. The first key is the current one.
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
      header: Buffer.concat([Buffer.from([VERSION, Buffer.byteLength(id)]), Buffer.from(id)]),
      // As an object it need not be made ready for each value.
      sealing: createSecretKey(derive(secret, 'seal')),
      hashing: derive(secret, 'hash'),
      coding: derive(secret, 'code'),
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
    const { header, sealing } = this.#current
    const iv = nextIv()
    const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(context))
    const body = typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content)
    // Of this cipher it gives no more bytes, but makes the tag.
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
      // Of this cipher it gives no more bytes, but tells whether those before are genuine.
      decipher.final()
    } catch {
      throw new SealRefusal('A sealed value does not open: a key has another secret now, or the value was changed.')
    }
    return bytes
  }

  /** Whether a value is under an older key and should be sealed anew. */
  isStale(sealed: Buffer): boolean {
    return this.#keyOf(sealed) !== this.#current
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

  /** A keyed hash (HMAC-SHA-256) of all of a content, bound to its context like a sealed value. */
  code(content: Buffer, context: string): Buffer {
    return codeWith(this.#current, content, context)
  }

  /** Whether the code was made of this content, under whichever key. */
  isCodeOf(code: Buffer, content: Buffer, context: string): boolean {
    return [...this.#keys.values()].some((key) => {
      const expected = codeWith(key, content, context)
      return expected.length === code.length && timingSafeEqual(expected, code)
    })
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

/** Random bytes for many at once: asking for 12 alone takes as long as the rest of sealing. */
function nextIv(): Buffer {
  if (ivsUsed === IVS_AT_ONCE) {
    randomFillSync(ivs)
    ivsUsed = 0
  }
  const start = ivsUsed++ * IV_LENGTH
  return ivs.subarray(start, start + IV_LENGTH)
}

function hashWith({ hashing, hashed }: DerivedKey, value: string): bigint {
  const known = hashed.get(value)
  if (known !== undefined) return known
  const digest = createHmac('sha256', hashing).update(value).digest()
  const hash = BigInt.asIntN(64, digest.readBigUInt64BE() >> 1n)
  if (hashed.size >= HASHES_REMEMBERED) hashed.clear()
  hashed.set(value, hash)
  return hash
}
