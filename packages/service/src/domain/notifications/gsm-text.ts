/**
 * The GSM 03.38 alphabet. A text message holds 160 of these characters; a single other one reduces that to 70, and may
 * triple the cost.
 */
const GSM = new Set(
  `@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€\n`,
)

const SIMILAR: Record<string, string> = {
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
 * Replaces characters outside the GSM alphabet by similar ones: the Spanish á, í, ó and ú lose their accents, as people
 * type them on phones. Characters without a replacement, such as a name in another script, stay.
 */
export const toGsmText = (text: string): string =>
  Array.from(text.normalize('NFC'), (character) => (GSM.has(character) ? character : replace(character))).join('')

function replace(character: string): string {
  const plain = SIMILAR[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return Array.from(plain).every((each) => GSM.has(each)) ? plain : character
}
