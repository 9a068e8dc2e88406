/** Longer names are cut off: nobody reads on. */
const LONGEST = 40

/** A run of digits this long may be a telephone number, which phones turn into a link. */
const MANY_DIGITS = 5

/** Everything but letters, digits, blanks and the punctuation of names. */
const FOREIGN = /[^\p{L}\p{M}\p{N}\s.,'’ʼ‘´`"()·・‐‑–-]/gu

/**
 * The name of a participant or requester as e-mails and text messages show it (ruling 34). Names are typed by strangers
 * and may read `Bob http://evil.example`; mail clients make links of addresses and domains wherever they find them. So
 * only what names are made of stays, and a blank follows every full stop: `Bob http evil. example`. Empty where nothing
 * of a name is left.
 */
export function shownName(name: string): string {
  // Compatibility forms first: full-width letters and full stops are read as plain ones by whatever looks for links.
  const letters = name.normalize('NFKC').replaceAll(FOREIGN, ' ')
  const digits = letters.match(/\p{N}/gu)?.length ?? 0
  const words = (digits >= MANY_DIGITS ? letters.replaceAll(/\p{N}/gu, '') : letters)
    .replaceAll(/\.(?=[^\s.])/gu, '. ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(words) ? cut(words) : ''
}

function cut(text: string): string {
  const characters = Array.from(text)
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : text
}
