/** The mail with a copy of what somebody signed. */
export const authorizationCopy = {
  subject: (company: string) => `Your copy: what you signed for ${company}`,
  title: 'Your copy',
  hello: (name: string) => (name === '' ? 'Hi,' : `Hi ${name},`),
  opening: (company: string) => `Here is a copy of what you read and signed for ${company}. Please keep it.`,
  disclosure: 'Disclosure',
  authorization: 'Authorization',
  signed: (name: string, date: string) => `Signed by ${name} on ${date}.`,
  footer: 'This is an automatic message. It has no link.',
}

export type AuthorizationCopyTexts = typeof authorizationCopy
