import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchCatalog } from './catalog.ts'

/** Speed, as ratios to a limit measured in the same run: only these carry over to another machine. */
const dataDir = await mkdtemp(join(tmpdir(), 'ots-bench-'))
// Open to pass through, so that a server which root starts as another user keeps its data in there too.
await chmod(dataDir, 0o755)
const print = (line: string) => void process.stdout.write(`${line}\n`)
try {
  print(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
  await benchCatalog(dataDir, print)
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
