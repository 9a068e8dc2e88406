import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join, matchesGlob, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Instruction {
  name: string
  value: string
}

/** The instructions of a Dockerfile, without comments, with continued lines joined. */
export const readInstructions = (text: string): Instruction[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, value] = /^(\S+)\s+(.*)$/.exec(line)!
      return { name: name!, value: value! }
    })

export interface Image {
  /** The folder that stands for the image's root. */
  root: string
  folder: string
  environment: Record<string, string>
  user: string | undefined
  command: string[]
  healthcheck: string[]
}

/**
 * Executes a Dockerfile without an engine: each stage is a folder, and its commands are run there by the Node of this
 * machine. Base images are not fetched.
 */
export async function execute(
  instructions: Instruction[],
  { context, ignored, scratch }: { context: string; ignored: string[]; scratch: string },
): Promise<Image> {
  const stages = new Map<string, string>()
  let image = newImage(join(scratch, 'none'))
  const inside = (path: string) => join(image.root, resolve(image.folder, path))
  const steps: Record<string, (value: string) => Promise<void> | void> = {
    async FROM(value) {
      image = newImage(join(scratch, `stage-${stages.size + 1}`))
      stages.set(/ AS (\S+)$/.exec(value)?.[1] ?? 'last', image.root)
      await mkdir(image.root)
    },
    async WORKDIR(value) {
      image.folder = resolve(image.folder, value)
      await mkdir(inside('.'), { recursive: true })
    },
    async COPY(value) {
      const [, stage, from, to] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(value)!
      if (stage === undefined) return copyContext(context, ignored, inside(to!))
      await mkdir(dirname(inside(to!)), { recursive: true })
      await cp(join(stages.get(stage)!, from!), inside(to!), { recursive: true, verbatimSymlinks: true })
    },
    async RUN(value) {
      await run('sh', ['-c', value], { cwd: inside('.'), env: environmentOf(image), maxBuffer: 2 ** 26 })
    },
    ENV(value) {
      const [, name, content] = /^([^=]+)=(.*)$/.exec(value)!
      image.environment[name!] = content!
    },
    USER: (value) => void (image.user = value),
    HEALTHCHECK: (value) => void (image.healthcheck = listOf(value)),
    ENTRYPOINT: (value) => void (image.command = listOf(value)),
    CMD: (value) => void image.command.push(...listOf(value)),
    ARG() {},
    EXPOSE() {},
  }
  for (const { name, value } of instructions) await steps[name]!(value)
  return image
}

/** The environment in which the commands of an image run: that of this process, without its settings. */
export const environmentOf = ({ root, environment }: Image): Record<string, string> => ({
  HOME: process.env['HOME']!,
  ...environment,
  PATH: [
    ...(environment['PATH'] ?? '')
      .split(':')
      .filter((path) => path.startsWith('/'))
      .map((path) => root + path),
    process.env['PATH'],
  ].join(':'),
})

const newImage = (root: string): Image => ({
  root,
  folder: '/',
  environment: {},
  user: undefined,
  command: [],
  healthcheck: [],
})

const listOf = (value: string) => JSON.parse(value.slice(value.indexOf('['))) as string[]

/** Copies what a clone of the repository would hold, except for what is ignored. */
async function copyContext(context: string, ignored: string[], target: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: context,
    maxBuffer: 2 ** 26,
  })
  const isIgnored = (path: string) =>
    ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`))
  for (const path of stdout.split('\n').filter((each) => each !== '' && !isIgnored(each)))
    await cp(join(context, path), join(target, path), { recursive: true }).catch(ignoreDeleted)
}

/** A file that is still listed may have been deleted from the work tree. */
function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
