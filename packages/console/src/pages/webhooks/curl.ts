interface Sent {
  method: string
  target: string
  body: string | null
  headers: Record<string, string>
}

/** What an attempt sent, as a command for a shell. Secrets stay removed, to be filled in by hand. */
export const curlOf = ({ method, target, body, headers }: Sent): string =>
  [
    `curl -i -X ${method} ${quoted(target)}`,
    ...Object.entries(headers)
      .filter(([name]) => !COMPUTED.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(' \\\n  ')

/** What curl works out for itself. */
const COMPUTED = new Set(['host', 'content-length', 'connection'])

/** In single quotes a shell leaves everything as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
