import { describe, expect, test } from 'vitest'
import { Keyring } from '../../src/store/sealing/keyring.ts'

const OLD = { id: 'old', secret: 'the secret of the old key' }
const NEW = { id: 'new', secret: 'the secret of the new key' }
const SSN = '536-22-8841'
const UNREADABLE = 'does not open'

describe('keyring', () => {
  test('a keyring opens what it has sealed', () => {
    const ring = new Keyring([OLD])
    for (const text of ['', SSN, 'Ünï😀', 'x'.repeat(100_000)])
      expect(ring.open(ring.seal(text, 'order 1'), 'order 1')).toBe(text)
  })

  test('the same text is never sealed to the same bytes', () => {
    const ring = new Keyring([OLD])
    expect(ring.seal(SSN, 'order 1').equals(ring.seal(SSN, 'order 1'))).toBe(false)
  })

  test('no nonce is used twice', () => {
    const ring = new Keyring([OLD])
    const nonces = Array.from({ length: 2_000 }, () => ring.seal('', 'x').subarray(5, 17).toString('hex'))
    expect(new Set(nonces).size).toBe(2_000)
  })

  test('a content code is valid for one content and context, under every key', () => {
    const [before, after] = [new Keyring([OLD]), new Keyring([NEW, OLD])]
    const code = before.code(Buffer.from(SSN), 'result 1')
    expect(code).toHaveLength(32)
    expect(after.isCodeOf(code, Buffer.from(SSN), 'result 1')).toBe(true)
    expect(after.isCodeOf(code, Buffer.from('536-22-8842'), 'result 1')).toBe(false)
    expect(after.isCodeOf(code, Buffer.from(SSN), 'result 2')).toBe(false)
    expect(new Keyring([NEW]).isCodeOf(code, Buffer.from(SSN), 'result 1')).toBe(false)
    expect(before.isCodeOf(Buffer.from(SSN), Buffer.from(SSN), 'result 1')).toBe(false)
  })

  test('texts with the same beginning have codes with the same beginning, and no others do', () => {
    const keyring = new Keyring([{ id: 'a', secret: 'first' }])
    const [whole, prefix, other] = ['HR4471', 'HR44', 'HS44'].map((text) => keyring.prefixCode(text, 'specimen'))
    expect(whole!.subarray(0, prefix!.length)).toEqual(prefix)
    expect(other!.subarray(0, 2)).toEqual(whole!.subarray(0, 2))
    expect(other!.subarray(2, 4)).not.toEqual(whole!.subarray(2, 4))
    expect(keyring.prefixCode('HR44', 'external')).not.toEqual(prefix)
    const rotated = new Keyring([
      { id: 'b', secret: 'second' },
      { id: 'a', secret: 'first' },
    ])
    expect(rotated.prefixCode('HR44', 'specimen')).not.toEqual(prefix)
    expect(rotated.prefixCodes('HR44', 'specimen')).toContainEqual(prefix)
  })

  test('a value sealed for one order does not open for another', () => {
    const ring = new Keyring([OLD])
    const sealed = ring.seal(SSN, 'order 1')
    expect(() => ring.open(sealed, 'order 2')).toThrow(UNREADABLE)
  })

  test('a value that was changed at any byte does not open', () => {
    const ring = new Keyring([OLD])
    const sealed = ring.seal(SSN, 'order 1')
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed.writeUInt8(changed.readUInt8(i) ^ 1, i)
      expect(() => ring.open(changed, 'order 1')).toThrow(/which is not set|does not open/)
    }
    expect(() => ring.open(sealed.subarray(0, -1), 'order 1')).toThrow(UNREADABLE)
    expect(() => ring.open(Buffer.alloc(0), 'order 1')).toThrow('which is not set')
  })

  test('a keyring with a new key opens values of the old one, and seals with the new one', () => {
    const [before, after] = [new Keyring([OLD]), new Keyring([NEW, OLD])]
    const sealed = before.seal(SSN, 'order 1')
    expect(after.open(sealed, 'order 1')).toBe(SSN)
    expect([after.isStale(sealed), after.isStale(after.seal(SSN, 'order 1'))]).toEqual([true, false])
    expect(() => before.open(after.seal(SSN, 'order 1'), 'order 1')).toThrow('the key "new"')
  })

  test('a value does not open with another secret under the same key id', () => {
    const other = new Keyring([{ id: 'old', secret: 'another secret altogether' }])
    expect(() => other.open(new Keyring([OLD]).seal(SSN, 'x'), 'x')).toThrow(UNREADABLE)
  })

  test('a hash is the same only under the same key, and lookups use all keys', () => {
    const [before, after] = [new Keyring([OLD]), new Keyring([NEW, OLD])]
    expect(before.hash(SSN)).toBe(new Keyring([OLD]).hash(SSN))
    expect(after.hash(SSN)).not.toBe(before.hash(SSN))
    expect(after.hashes(SSN)).toContain(before.hash(SSN))
    expect(after.hashes(SSN)).toContain(after.hash(SSN))
    const limit = 2n ** 63n
    for (const value of ['a', 'b', 'c', 'd']) {
      const hash = before.hash(value)
      expect(hash >= -limit && hash < limit).toBe(true)
    }
  })

  test('a keyring reloads its keys when a value has an unknown key id', () => {
    const file = { keys: [OLD], reads: 0 }
    const reread = () => {
      file.reads += 1
      return file.keys
    }
    const node = new Keyring([OLD], reread)
    file.keys = [NEW, OLD]
    const sealed = new Keyring([NEW, OLD]).seal(SSN, 'order 1')
    expect(node.open(sealed, 'order 1')).toBe(SSN)
    expect(node.isStale(node.seal(SSN, 'order 1'))).toBe(false)
    expect(node.isStale(new Keyring([OLD]).seal(SSN, 'order 1'))).toBe(true)
    expect(file.reads).toBe(1)
  })

  test('a keyring without keys is refused', () => {
    expect(() => new Keyring([])).toThrow('A keyring needs a key.')
  })
})
