import { Agent } from 'undici'

/** The limit for deliveries: undici alone, posting the same headers and body to the same receivers in turn. */
const { URLS = '[]', HEADERS = '{}', BODY: body = '', COUNT = '0', WARM_UP = '0', AT_ONCE = '64' } = process.env
const targets = (JSON.parse(URLS) as string[]).map((url) => new URL(url))
const headers = JSON.parse(HEADERS) as Record<string, string>
const agent = new Agent({ connections: Number(AT_ONCE), pipelining: 1 })

await post(Number(WARM_UP))
const started = performance.now()
await post(Number(COUNT))
process.stdout.write(`${Number(COUNT) / ((performance.now() - started) / 1000)}\n`)
await agent.close()

async function post(total: number): Promise<void> {
  let left = total
  await Promise.all(
    Array.from({ length: Number(AT_ONCE) }, async () => {
      while (left-- > 0) {
        const { origin, pathname: path } = targets[left % targets.length]!
        const response = await agent.request({ origin, path, method: 'POST', headers, body })
        await response.body.dump()
      }
    }),
  )
}
