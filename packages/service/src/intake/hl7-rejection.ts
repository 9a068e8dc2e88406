/** The message is not one that we accept: answered AR, with a code of HL7 table 0357. */
export class Hl7Rejection extends Error {
  readonly code: number

  constructor(code: 100 | 101 | 102 | 200 | 201 | 202 | 203 | 207, detail: string) {
    super(detail)
    this.code = code
  }
}
