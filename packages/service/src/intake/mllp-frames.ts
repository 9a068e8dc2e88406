/** The bytes are not a frame, so later frames cannot be found either. */
export class BrokenFraming extends Error {}

const [START, END, RETURN, FEED] = [0x0b, 0x1c, 0x0d, 0x0a]

/** Chunks of a message before they are joined: some senders send single bytes. */
const MOST_PARTS = 512

/** Splits a byte stream into MLLP messages: `<VT>`, the message, `<FS><CR>`. */
export class Frames {
  readonly #mostBytes: number
  #parts: Buffer[] | undefined
  #size = 0
  #hasEnded = false
  /** Messages started so far. */
  opened = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Whether a message has started and not ended. */
  get isOpen(): boolean {
    return this.#parts !== undefined
  }

  /** The first bytes of the unfinished message. */
  peek(most: number): Buffer {
    return Buffer.concat(this.#parts ?? []).subarray(0, most)
  }

  /** Yields the messages that end in these bytes. */
  *read(bytes: Buffer): Generator<Buffer> {
    let at = 0
    while (at < bytes.length) {
      if (!this.#parts) at = this.#begin(bytes, at)
      else if (this.#hasEnded) {
        if (bytes[at] !== RETURN) throw new BrokenFraming('A message must end with <FS><CR>.')
        at += 1
        yield this.#finish()
      } else at = this.#continue(bytes, at)
    }
  }

  /** Some senders put line breaks between frames, which are ignored. */
  #begin(bytes: Buffer, at: number): number {
    const byte = bytes[at]
    if (byte === START) {
      this.#parts = []
      this.opened += 1
    } else if (byte !== RETURN && byte !== FEED) throw new BrokenFraming('A message must begin with <VT>.')
    return at + 1
  }

  #continue(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(END, at)
    const part = bytes.subarray(at, end === -1 ? bytes.length : end)
    if (part.includes(START)) throw new BrokenFraming('A message begins before the previous one has ended.')
    this.#size += part.length
    if (this.#size > this.#mostBytes) {
      throw new BrokenFraming(`The message is larger than ${this.#mostBytes / 1024 ** 2} MiB.`)
    }
    this.#parts!.push(part)
    if (this.#parts!.length > MOST_PARTS) this.#parts = [Buffer.concat(this.#parts!)]
    this.#hasEnded = end !== -1
    return end === -1 ? bytes.length : end + 1
  }

  #finish(): Buffer {
    const message = Buffer.concat(this.#parts!)
    this.#parts = undefined
    this.#size = 0
    this.#hasEnded = false
    return message
  }
}

export const frame = (message: Buffer) => Buffer.concat([Buffer.of(START), message, Buffer.of(END, RETURN)])
