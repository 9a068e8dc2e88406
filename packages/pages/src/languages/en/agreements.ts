import type { BuiltInAgreements } from '../language-file.ts'

/** If you change a text, change its version too: answers are kept with it. */
export const agreements: BuiltInAgreements = {
  notice: {
    version: 'built-in 1',
    isSample: false,
    text: 'U.S. Department of Transportation rules (49 CFR Part 40) set how this test is done. Nobody may require you to sign a consent or a waiver. The collector explains each step. Once the test has begun, leaving before it is finished counts as a refusal.',
  },
  consent: {
    version: 'built-in 1',
    isSample: false,
    text: 'I agree to take this test. The clinic, the lab and the reviewing doctor may use my details to carry it out and report the result to {company}.',
  },
  disclosure: {
    version: 'placeholder 2',
    isSample: true,
    text: `This is a placeholder. It must be replaced by a disclosure that was reviewed by a lawyer.

{company} may obtain information about you from a consumer reporting agency for employment purposes.

This means that a “consumer report” may be obtained about you. It may include information about your criminal history, driving record and past employment.

The report will be prepared by {provider}.`,
  },
  authorization: {
    version: 'placeholder 2',
    isSample: true,
    text: `This is a placeholder. It must be replaced by an authorization that was reviewed by a lawyer.

I have read the disclosure. I authorize {company} to obtain a background report about me from {provider} for employment purposes.`,
  },
}
