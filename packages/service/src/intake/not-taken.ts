/** The message is none that we take, whatever it says: answered AR, with a code of HL7's table 0357. */
export class NotTaken extends Error {
  readonly code: number

  constructor(code: 100 | 101 | 102 | 200 | 201 | 202 | 203 | 207, detail: string) {
    super(detail)
    this.code = code
  }
}
