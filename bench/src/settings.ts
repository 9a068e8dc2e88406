/** More and longer rounds reduce the variance. */
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)
/** Orders visible to the token for lists and matching. */
export const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 1_000_000)
/** A folder whose database keeps the many orders of `growth` for the next run: ten million take more than an hour to make. */
export const KEPT = process.env['BENCH_KEPT'] || undefined
/** Concurrent requests. */
export const CONNECTIONS = 32
