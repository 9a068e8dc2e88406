import { Pool } from 'undici'

/** The limit for deliveries: undici alone, posting the same bytes repeatedly. */
const {
  URL: url = '',
  BODY: body = '',
  COUNT: count = '0',
  WARM_UP: warmUp = '0',
  AT_ONCE: atOnce = '64',
} = process.env
const { origin, pathname } = new globalThis.URL(url)
const pool = new Pool(origin, { connections: Number(atOnce), pipelining: 1 })

await post(Number(warmUp))
const started = performance.now()
await post(Number(count))
process.stdout.write(`${Number(count) / ((performance.now() - started) / 1000)}\n`)
await pool.close()

async function post(total: number): Promise<void> {
  let left = total
  await Promise.all(
    Array.from({ length: Number(atOnce) }, async () => {
      while (left-- > 0) {
        const response = await pool.request({
          path: pathname,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        await response.body.dump()
      }
    }),
  )
}
