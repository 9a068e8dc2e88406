/** The codes of laboratories. */
export const codes = {
  title: 'Code maps',
  note: 'What laboratories mean by their own codes.',
  remember: (code: string, sender: string, service: string) => `Remember: ${code} from ${sender} is ${service}`,
  lab: 'Laboratory or sender',
  code: 'Code',
  service: 'Service',
  origin: 'Origin',
  origins: { learned: 'Learned', catalog: 'From the catalog' },
  none: 'No codes.',
  forget: 'Forget',
  forgetCode: (code: string, lab: string) => `Forget ${code} of ${lab}`,
  forgotten: (code: string) => `${code} is forgotten. Reports with it wait for an operator again.`,
}
