/** Text as filters and sort orders compare it: case-insensitive, accent-sensitive. */
export function fold(text: string): string {
  return text.toLowerCase().normalize('NFC')
}

/** The words of a text as search compares them, without case, accents and punctuation. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’‘ʻʼ`]/g, '')
    .toLowerCase()
  return [...new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))]
}
