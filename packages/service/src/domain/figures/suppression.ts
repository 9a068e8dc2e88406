/** Counts of results that are smaller could tell about a person. */
const SMALLEST_SHOWN = 5

interface Count {
  tests: number
  positive: number
}

/** The results of one kind of test at one company. */
export interface CompanyCount extends Count {
  companyId: string
  isDot: boolean
  testReason: string
}

export interface ShownCount {
  isDot: boolean
  testReason: string
  /** Null if hidden. */
  tests: number | null
  positive: number | null
}

/**
 * Counts of the tenant or one company by kind of test, without those that could tell about a person: small ones, and as many
 * others as it takes that no small one is the difference of counts that are shown (docs/decisions/0041-figures.md).
 */
export function showCounts(all: readonly CompanyCount[], companyId: string | undefined): ShownCount[] {
  const rows = byKind(all.filter(({ tests }) => tests > 0))
    .map((companies) => {
      const own = companyId === undefined ? companies : companies.filter((each) => each.companyId === companyId)
      const { isDot, testReason } = companies[0]!
      return { isDot, testReason, ...sumOf(own), companies }
    })
    .filter(({ tests }) => tests > 0)
    .toSorted((a, b) => b.tests - a.tests || (a.testReason < b.testReason ? -1 : 1))
  const [hiddenTests, hiddenPositive] = [hiddenAmong(rows, hasManyTests), hiddenAmong(rows, hasManyOfEach)]
  return rows.map((row) => {
    const { companies, ...count } = row
    const isHidden = (hidden: ReadonlySet<Count>, isSafe: IsSafe) =>
      hidden.has(row) || (companyId !== undefined && isHiddenCompany(companyId, companies, isSafe))
    const tests = isHidden(hiddenTests, hasManyTests) ? null : count.tests
    return {
      ...count,
      tests,
      positive: tests === null || isHidden(hiddenPositive, hasManyOfEach) ? null : count.positive,
    }
  })
}

function byKind(all: readonly CompanyCount[]): CompanyCount[][] {
  const kinds = new Map<string, CompanyCount[]>()
  for (const each of all) {
    const key = `${each.isDot} ${each.testReason}`
    kinds.set(key, [...(kinds.get(key) ?? []), each])
  }
  return [...kinds.values()]
}

type IsSafe = (count: Count) => boolean

const hasManyTests: IsSafe = ({ tests }) => tests >= SMALLEST_SHOWN

/** Positive and negative results: one follows from the other. */
const hasManyOfEach: IsSafe = ({ tests, positive }) => positive >= SMALLEST_SHOWN && tests - positive >= SMALLEST_SHOWN

const isHiddenCompany = (companyId: string, companies: readonly CompanyCount[], isSafe: IsSafe) =>
  [...hiddenAmong(companies, isSafe)].some((each) => each.companyId === companyId)

/**
 * The counts that are hidden, given that their sum may be known: those that are not safe and, if there are any, the next
 * smallest until there are two of them and their sum is safe.
 */
function hiddenAmong<C extends Count>(counts: readonly C[], isSafe: IsSafe): ReadonlySet<C> {
  const hidden = new Set(counts.filter((count) => !isSafe(count)))
  if (hidden.size === 0) return hidden
  for (const next of counts.toSorted((a, b) => a.tests - b.tests)) {
    if (hidden.size > 1 && isSafe(sumOf([...hidden]))) break
    hidden.add(next)
  }
  return hidden
}

const sumOf = (counts: readonly Count[]): Count => ({
  tests: counts.reduce((sum, { tests }) => sum + tests, 0),
  positive: counts.reduce((sum, { positive }) => sum + positive, 0),
})
