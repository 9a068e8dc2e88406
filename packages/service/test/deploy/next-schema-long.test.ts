import { test } from 'vitest'
import { SLOW } from '../support/processes.ts'
import { runBothReleases } from './both-releases.ts'

test(
  'nodes of a release and the next one serve together for thousands of orders, and nothing fails or is lost',
  SLOW,
  () => runBothReleases(2_000),
)
