import type { Caller } from '../domain/access/caller.ts'
import type { Hl7Refusal } from '../intake/hl7-intake.ts'
import type { Context } from '../operations/operation.ts'

/** Work on a large body or catalog: a whole request, once its sender is known to be allowed to make it. */
export interface ThreadJob {
  operation: 'exportCatalog' | 'applyCatalog' | 'diffCatalog' | 'postResult' | 'takeHl7' | 'readResult' | 'readDocument'
  caller: Caller
  policy: Context['policy']
  at: Date
  /** Of what is read. */
  id?: string | undefined
  /** As it was sent: parsing it is most of the work. */
  body?: Uint8Array | undefined
  charset?: string | undefined
}

export interface ThreadAnswer {
  status: number
  bytes: Uint8Array
  /** JSON, unless it says otherwise. */
  type?: string | undefined
  /** Why a message in HL7 was refused. */
  refusal?: Hl7Refusal
}
