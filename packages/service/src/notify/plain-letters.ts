/**
 * The letters of GSM 03.38. A text message holds 160 of them; with a single other one it holds 70, and may cost three
 * times as much.
 */
const GSM = new Set(
  `@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€\n`,
)

const ALIKE: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '`': "'",
}

/**
 * The text for a telephone: á, í, ó and ú, which Spanish needs and GSM lacks, go without their accents, as people type
 * them there. Whatever has no likeness, such as a name in another script, stays as it is and is paid for.
 */
export const inPlainLetters = (text: string): string =>
  Array.from(text.normalize('NFC'))
    .map((letter) => (GSM.has(letter) ? letter : likeness(letter)))
    .join('')

function likeness(letter: string): string {
  const plain = ALIKE[letter] ?? letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return Array.from(plain).every((each) => GSM.has(each)) ? plain : letter
}
