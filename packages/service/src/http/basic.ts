/** Browsers and providers send user name and password as Basic authentication; the password is the token. */
export function bearerOf(header: string | undefined): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return header
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`
}
