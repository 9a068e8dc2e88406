import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where a service runs, and a token for it: with both, `npm run dev` shows its data without anyone signing in. */
const { OTS_ORIGIN = 'http://127.0.0.1:7400', OTS_DEV_TOKEN } = process.env

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    emptyOutDir: true,
    // Nothing is written into the page: its policy allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': {
        target: OTS_ORIGIN,
        ...(OTS_DEV_TOKEN !== undefined && { headers: { authorization: `Bearer ${OTS_DEV_TOKEN}` } }),
      },
    },
  },
})
