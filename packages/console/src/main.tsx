import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './shell/mantine.css'
import './shell/tokens.css'
import './shell/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { Speaks } from './languages/words.tsx'
import { createConsoleRouter } from './router.tsx'
import { Theme } from './shell/Theme.tsx'

/** A refused read means that the session has ended: the frame asks again who is signed in, and shows the way back. */
const queries = createQueries(() => void queries.invalidateQueries({ queryKey: sessionQuery.queryKey }))
const router = createConsoleRouter()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Speaks>
        <Theme>
          <RouterProvider router={router} />
        </Theme>
      </Speaks>
    </QueryClientProvider>
  </StrictMode>,
)
