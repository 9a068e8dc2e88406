import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/service/test/support/global-setup.ts'],
    pool: 'threads',
    isolate: false,
    // Tests wait for the database and for processes more than they compute, so the load of both cores is worth it.
    maxWorkers: 2,
    // Outer limits alone: tests wait for conditions, so a slow machine only takes longer.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
