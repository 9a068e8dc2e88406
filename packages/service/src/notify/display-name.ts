const MAX_LENGTH = 40

/** A run of digits this long may be a phone number, which phones turn into a link. */
const MAX_DIGITS = 4

/** Everything but letters, digits, white space and the punctuation of names. */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}\s.,'’ʼ‘´`"()·・‐‑–-]/gu

/**
 * The name of a participant or requester as notifications show it (ruling 34). Names are typed by strangers and may read
 * `Bob http://evil.example`, and mail clients turn addresses and domains into links. So only the characters of names stay,
 * and a space follows every period: `Bob http evil. example`. Empty if nothing of a name is left.
 */
export function displayName(name: string): string {
  // NFKC first: mail clients read full-width letters and periods as plain ones.
  const letters = name.normalize('NFKC').replaceAll(NOT_IN_NAMES, ' ')
  const digits = letters.match(/\p{N}/gu)?.length ?? 0
  const words = (digits > MAX_DIGITS ? letters.replaceAll(/\p{N}/gu, '') : letters)
    .replaceAll(/\.(?=[^\s.])/gu, '. ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(words) ? truncate(words, MAX_LENGTH) : ''
}

/** Cuts a text to a number of characters, with an ellipsis. */
export function truncate(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text
}

/** Makes a name from the catalog safe for a subject line: no line breaks, no marks that change the text direction. */
export const toOneLine = (name: string, maxLength: number): string =>
  truncate(
    name
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replaceAll(/[\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, '')
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    maxLength,
  )
