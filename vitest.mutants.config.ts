import { defineConfig } from 'vitest/config'

/** Tests that need no database, for `npm run test:mutants`. */
export default defineConfig({
  test: {
    include: ['packages/service/test/domain/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
  },
})
