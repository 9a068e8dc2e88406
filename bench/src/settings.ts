/** More and longer rounds take longer and vary less. */
export const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9)
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 1)
/** Orders behind the token that lists and matching are measured with. */
export const ORDERS = Number(process.env['BENCH_ORDERS'] ?? 1_000_000)
/** Requests under way at once. */
export const CONNECTIONS = 32
