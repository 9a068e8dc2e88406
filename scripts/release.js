// Prepares a release: sets the version everywhere, dates the changelog, commits and tags. Pushes nothing.
// npm run release -- 1.2.0
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const CHANGELOG = 'CHANGELOG.md'
const LOCK = 'package-lock.json'
const MANIFESTS = ['deploy/kubernetes-schema.yaml', 'deploy/kubernetes.yaml']
const AUDIENCES = ['Integrators', 'Operators', 'Developers']

const [version = '', ...rest] = process.argv.slice(2)
const problems = checkRelease()
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
const changed = [CHANGELOG, ...setVersions(), ...MANIFESTS]
for (const file of MANIFESTS) writeFileSync(file, tagged(readFileSync(file, 'utf8')))
writeFileSync(CHANGELOG, dated(readFileSync(CHANGELOG, 'utf8')))
git('commit', '--quiet', '--message', `Release ${version}`, '--', ...changed)
git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`)
process.stdout.write(`Committed and tagged v${version}. Publish it with: git push --follow-tags\n`)

/** Reasons not to release; nothing is written while there is one. */
function checkRelease() {
  if (!/^\d+\.\d+\.\d+$/.test(version) || rest.length > 0) return ['Usage: npm run release -- 1.2.0']
  const { version: current } = read('package.json')
  const isFirst = version === current && git('tag', '--list', 'v*') === ''
  return [
    git('status', '--porcelain') !== '' && 'The work tree is not clean: commit or remove what "git status" lists.',
    !isFirst && compare(version, current) <= 0 && `${version} is not later than ${current}.`,
    git('tag', '--list', `v${version}`) !== '' && `The tag v${version} exists.`,
    ...changelogProblems(unreleased(readFileSync(CHANGELOG, 'utf8'))),
  ].filter((problem) => problem !== false)
}

/** What the next release changes has to be written down, for somebody. */
function changelogProblems(text) {
  if (!/^- /m.test(text)) return [`${CHANGELOG} lists nothing under "Unreleased".`]
  const unknown = [...text.matchAll(/^### (.+)$/gm)].map(([, name]) => name).filter((name) => !AUDIENCES.includes(name))
  return unknown.map((name) => `${CHANGELOG} has a section "${name}": use ${AUDIENCES.join(', ')}.`)
}

function unreleased(changelog) {
  return /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog)?.[1] ?? ''
}

function dated(changelog) {
  const date = new Date().toISOString().slice(0, 10)
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${date}\n`)
}

function tagged(manifests) {
  return manifests.replaceAll(/(image: \S+):[\d.]+$/gm, `$1:${version}`)
}

/** Writes the version into every workspace, what they require of each other, and the lock file. Returns the files. */
function setVersions() {
  const folders = ['', ...read('package.json').workspaces.flatMap(foldersOf)]
  const files = folders.map((folder) => `${folder}package.json`)
  const names = new Set(files.map((file) => read(file).name))
  for (const file of files) write(file, withVersion(read(file), names))
  const lock = read(LOCK)
  for (const folder of folders.map((each) => each.replace(/\/$/, '')))
    lock.packages[folder] = withVersion(lock.packages[folder], names)
  write(LOCK, { ...lock, version })
  return [...files, LOCK]
}

/** The folders of a workspace, which is named or a star below its parent. */
function foldersOf(workspace) {
  const [, parent] = /^(.+)\/\*$/.exec(workspace) ?? []
  if (parent === undefined) return [`${workspace}/`]
  return readdirSync(parent).map((name) => `${parent}/${name}/`)
}

function withVersion(manifest, names) {
  const ours = (dependencies) =>
    Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, names.has(name) ? version : range]))
  const kinds = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
  const dependencies = kinds.filter((kind) => manifest[kind]).map((kind) => [kind, ours(manifest[kind])])
  return { ...manifest, version, ...Object.fromEntries(dependencies) }
}

function compare(left, right) {
  const [a, b] = [left, right].map((text) => text.split('.').map(Number))
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function write(file, content) {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}
