const LONGEST = 500

/** Removes links, addresses and phone numbers, which servers repeat in their answers. */
export const redact = (text: string) =>
  text
    .slice(0, 4 * LONGEST)
    .replaceAll(/\b\w+:\/\/\S+|\S*\/o\/\S+/g, '…')
    .replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '…')
    // Phone numbers have at least ten digits; reply codes such as 550 5.1.1 have fewer.
    .replaceAll(/\+?\d(?:[\s().-]*\d){9,}/g, '…')
    .slice(0, LONGEST)
