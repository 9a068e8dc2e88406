/** Ends a sentence, where what it ends with (p.m., Inc.) has not done so. */
export const sentence = (text: string) => (/[.…]$/.test(text) ? text : `${text}.`)
