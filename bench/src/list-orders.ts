import { median, row } from './figures.ts'
import { seedOrders } from './seed.ts'
import { ORDERS, ROUNDS } from './settings.ts'
import { read, type World } from './world.ts'

const FEW = 1_000

/** Requests per list and round. */
const REQUESTS = 5

/** Lists of a million orders against the first page of a thousand. */
export async function benchList(world: World, print: (line: string) => void): Promise<void> {
  await seedOrders(world, { company: 'few', count: FEW })
  const many = await seedOrders(world, { company: 'many', count: ORDERS })
  const lastPage = Math.min(10_000, Math.floor(ORDERS / 20))
  const queries = {
    'page 1': '',
    [`page ${lastPage}`]: `page=${lastPage}`,
    companyId: 'companyId=many',
    locationId: 'locationId=many-2',
    code: `code=${many.code}`,
    specimenId: `specimenId=${many.specimenId}`,
    'status of one in ten': 'status=scheduled',
    'status of most': 'status=negative',
    createdFrom: `createdFrom=${many.middle}`,
    createdTo: `createdTo=${many.middle}`,
    updatedFrom: `updatedFrom=${many.middle}`,
    updatedTo: `updatedTo=${many.middle}`,
  }
  const lists = [
    { name: `page 1 of ${FEW} orders`, url: `${world.origin}/api/v2/orders`, headers: world.few },
    ...Object.entries(queries).map(([name, query]) => ({
      name,
      url: `${world.origin}/api/v2/orders?${query}`,
      headers: world.many,
    })),
  ]
  const times = lists.map((): number[] => [])
  for (let round = 0; round < ROUNDS * REQUESTS; round++) {
    for (const [i, { url, headers }] of lists.entries()) {
      const started = performance.now()
      await read(url, headers)
      times[i]!.push(performance.now() - started)
    }
  }
  const totals = await Promise.all(lists.map(async ({ url, headers }) => readTotal(await read(url, headers))))
  const base = median(times[0]!)
  print(row(`lists of ${ORDERS} orders`, 'total', 'ms', 'ratio'))
  for (const [i, { name }] of lists.entries()) {
    const ms = median(times[i]!)
    print(row(name, totals[i]!, ms.toFixed(2), (ms / base).toFixed(2)))
  }
}

const readTotal = (text: string) => (JSON.parse(text) as { total: number }).total
