import type { AuditFault, AuditVerification } from '@order-testing/client/operator'

export interface Verified {
  /** Number of links checked. */
  links: number
  /** Links and entries checked, each of which counts. */
  steps: number
  head: AuditVerification['head']
  faults: AuditFault[]
  /** Whether the whole log was checked. */
  isWhole: boolean
}

/** Nobody reads more of them. */
const MOST_FAULTS = 500

/** Checks the chain part by part, until its end, until it was stopped, or until there are very many faults. */
export async function verifyAll(
  readPart: (after: string | undefined) => Promise<AuditVerification>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (verified: Verified) => void },
): Promise<Verified> {
  let verified: Verified = { links: 0, steps: 0, head: null, faults: [], isWhole: false }
  let after: string | undefined
  while (!signal.aborted && verified.faults.length < MOST_FAULTS && !verified.isWhole) {
    const { links, entries, head, faults, next } = await readPart(after)
    verified = {
      links: verified.links + links,
      steps: verified.steps + links + entries,
      head: head ?? verified.head,
      faults: [...verified.faults, ...faults],
      isWhole: next === null,
    }
    onProgress(verified)
    after = next ?? undefined
  }
  return verified
}
