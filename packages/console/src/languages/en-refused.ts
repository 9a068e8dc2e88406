/** The words of HL7 messages that were refused. */
export const refused = {
  one: 'Refused message',
  nobody: 'Unknown sender',
  why: 'Why it was refused:',
  controlId: 'Control id',
  door: 'Came by',
  doors: { http: 'HTTP', mllp: 'MLLP' } as Record<string, string>,
  answer: 'Answered',
  token: 'Token',
  address: 'Address',
  size: 'Size',
  bytes: (count: number) => (count === 1 ? '1 byte' : `${count.toLocaleString('en-US')} bytes`),
  times: 'Sent so often',
  first: 'First received',
  count: (count: number) => `${count} times`,
  empty: 'Nothing was refused',
  emptyDetail: 'HL7 messages that are no result reports, or cannot be read, are listed here for 30 days.',
}
