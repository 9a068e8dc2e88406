/** Ends a sentence with a period, unless it already ends with one (p.m., Inc.). */
export const withPeriod = (text: string) => (/[.…]$/.test(text) ? text : `${text}.`)
