import type { Socket } from 'node:net'
import { AttemptFailure } from './dial.ts'

/**
 * Undici works through all it reads in one go and makes an error of each header past the limit, so that 64 KiB of them
 * would hold up every other delivery for half a second.
 */
const BITE_BYTES = 2_048
/** Of one answer with all that stands around it: interim answers, headers, the framing of chunks. */
const MOST_BYTES = 262_144
/** With nothing of the body among them: each header costs many times its length in memory. */
const MOST_LINES = 256
const LINE_BREAK = 0x0a
const CONTINUE = Buffer.from('HTTP/1.1 100')
const END_OF_HEAD = Buffer.from('\r\n\r\n')

/** What a connection reads: in small bites, no answer without end, and none of "continue", which undici takes for an error. */
export class Bites {
  #bytes = 0
  #lines = 0
  /** How the answer begins, as long as that may be a "continue"; null when it is not. */
  #start: Buffer | null = null

  /** From now on another answer is read. */
  begin(): void {
    this.#bytes = 0
    this.#lines = 0
    this.#start = Buffer.alloc(0)
  }

  /** Some of the body has come. */
  progress(): void {
    this.#lines = 0
  }

  of(socket: Socket): Socket {
    const read = socket.read.bind(socket)
    const bite = (size?: number) =>
      read(size ?? (Math.min(socket.readableLength, BITE_BYTES) || undefined)) as Buffer | null
    socket.read = (size?: number): unknown => {
      while (!socket.destroyed) {
        const bytes = bite(size)
        if (bytes === null) return null
        if (this.#isTooMuch(bytes))
          socket.destroy(new AttemptFailure('badAnswer', 'The answer does not come to its end.'))
        else {
          const told = this.#pastContinue(bytes)
          if (told.length > 0) return told
        }
      }
      return null
    }
    return socket
  }

  #isTooMuch(bytes: Buffer): boolean {
    this.#bytes += bytes.length
    // Of the bites before: whether there is body in this one is not known yet.
    if (this.#bytes > MOST_BYTES || this.#lines > MOST_LINES) return true
    for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) this.#lines++
    return false
  }

  /** What is to be told of the answer so far; nothing while it may be a "continue". */
  #pastContinue(bytes: Buffer): Buffer {
    if (this.#start === null) return bytes
    let start = Buffer.concat([this.#start, bytes])
    while (start.subarray(0, CONTINUE.length).equals(CONTINUE)) {
      const end = start.indexOf(END_OF_HEAD)
      if (end === -1) break
      start = start.subarray(end + END_OF_HEAD.length)
    }
    const length = Math.min(start.length, CONTINUE.length)
    const mayBe = start.subarray(0, length).equals(CONTINUE.subarray(0, length))
    this.#start = mayBe ? start : null
    return mayBe ? NOTHING : start
  }
}

const NOTHING = Buffer.alloc(0)
