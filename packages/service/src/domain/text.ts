/** Text as filters and orderings compare it: case does not count, accents do. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFC')
}

/** The words of a text as search compares them: neither case, accents nor punctuation count. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’‘ʻʼ`]/g, '')
    .toLowerCase()
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
}
