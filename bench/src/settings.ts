/** More and longer rounds reduce the variance. */
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)
/** Orders visible to the token for lists and matching. */
export const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 1_000_000)
/** Concurrent requests. */
export const CONNECTIONS = 32
