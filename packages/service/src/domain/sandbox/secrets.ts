/** Stands for what is not shown. */
export const REMOVED = '[removed]'

/** Removes secrets from a text. */
export type Cleaner = (text: string) => string

/** Removes a token from texts, percent-encoded or not. */
export function tokenRemover(authorization: string | undefined): Cleaner {
  const token = /^\S+\s+(\S+)\s*$/.exec(authorization ?? '')?.[1]
  if (token === undefined) return (text) => text
  // Headers are Latin-1, so each character is one byte.
  const characters = [...Buffer.from(token, 'latin1')].map((byte) => {
    const hex = byte.toString(16).padStart(2, '0')
    return `(?:\\x${hex}|%${hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)})`
  })
  const pattern = new RegExp(characters.join(''), 'g')
  return (text) => text.replace(pattern, REMOVED)
}

/** A path of a request without the values of parameters that are called secret. */
export const cleanPath: Cleaner = (path) =>
  path.replace(/([?&][^=&]*(?:secret|password|api_?key|authorization|token)[^=&]*=)[^&]*/gi, `$1${REMOVED}`)

/** The value of a member `url` without user, password, query and fragment. Paths of this service stay as they are. */
export function cleanUrl(url: string): string {
  if (/^\/(?![\\/])/.test(url)) return url
  // In an address that cannot be parsed, a password may have any characters.
  const user = URL.canParse(url) ? /^(\s*[a-z][a-z0-9+.-]*:[\\/\s]*)[^\\/?#]*@/i : /^([a-z][a-z0-9+.-]*:[\\/]*)?.*@/is
  return url
    .replace(user, (_, scheme: string | undefined) => `${scheme ?? ''}${REMOVED}@`)
    .replace(/([?#]).*$/s, `$1${REMOVED}`)
}

/** The same for all addresses in a text. */
export const cleanUrls: Cleaner = (text) => text.replace(/\bhttps?:\/\/[^\s"'<>]+/gi, cleanUrl)
