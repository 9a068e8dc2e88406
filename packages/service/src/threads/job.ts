import type { Caller } from '../domain/access/caller.ts'
import type { Hl7Refusal } from '../intake/hl7-intake.ts'
import type { Context } from '../operations/operation.ts'

/** An authorised request with a large body or about a catalog. */
export interface ThreadJob {
  operation: 'exportCatalog' | 'applyCatalog' | 'diffCatalog' | 'postResult' | 'takeHl7' | 'readResult' | 'readDocument'
  caller: Caller
  policy: Context['policy']
  at: Date
  /** Id of the resource to read. */
  id?: string | undefined
  /** Unparsed: parsing it is most of the work. */
  body?: Uint8Array | undefined
  charset?: string | undefined
}

export interface ThreadAnswer {
  status: number
  bytes: Uint8Array
  /** Default: JSON. */
  type?: string | undefined
  /** Why an HL7 message was refused. */
  refusal?: Hl7Refusal
}
