/** Builds what the Dockerfile says without an engine: each stage is a folder, each instruction done by this machine's programs. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { otherPackages } from '../../scripts/release/reasons-against.mjs'
import { ROOT } from '../helpers/root.js'
import { stages, variablesOf, type Instruction } from './files.js'

export interface Image {
  folder: string
  environment: Record<string, string>
  user: string
  command: string[]
  healthcheck: string[]
}

/** What .dockerignore lets through. Knows what stands there: all left out, then names let in. */
const context = (to: string): void => {
  const [all, ...kept] = readFileSync(`${ROOT}.dockerignore`, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  if (all !== '*' || kept.some((line) => !/^![\w./-]+$/.test(line))) throw new Error('.dockerignore has lines that are not understood here')
  for (const path of kept.map((line) => line.slice(1))) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(ROOT, path), join(to, path), { recursive: true })
  }
}

/** Below `folder`; programs are found on `path` first. */
export const build = (folder: string, path: string): Image => {
  context(join(folder, 'context'))
  const named = new Map<string, string>()
  let image: Image | undefined
  for (const [n, stage] of stages().entries()) {
    const root = join(folder, `stage-${n}`)
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
    image = { folder: root, environment: {}, user: 'root', command: [], healthcheck: [] }
    const name = / AS (\w+)$/i.exec(stage[0]!.text)?.[1]
    if (name !== undefined) named.set(name, root)
    let work = '/'
    for (const { name, text } of stage) {
      work = follow({ name, text }, image, work, { context: join(folder, 'context'), named, path })
    }
  }
  return image!
}

/** The one step that is not done again where what it leaves is there already. */
const INSTALL = 'npm ci --ignore-scripts'

/**
 * Links the checkout's packages into `folder`, as the same command would install them from the same lock. The files that npm and the build
 * write are not linked. Answers false, and links nothing, where something else is installed than the lock says.
 */
const linkInstalled = (folder: string): boolean => {
  if (otherPackages(ROOT).length > 0) return false
  const [from, to] = [`${ROOT}node_modules`, `${folder}/node_modules`]
  // No links lead to another file system.
  execFileSync('sh', ['-c', 'cp -alT "$0" "$1" 2>&1 || { rm -rf "$1" && cp -aT "$0" "$1"; }', from, to], { stdio: 'ignore' })
  rmSync(`${to}/.cache`, { recursive: true, force: true })
  rmSync(`${to}/.package-lock.json`)
  cpSync(`${from}/.package-lock.json`, `${to}/.package-lock.json`)
  return true
}

interface Around { context: string, named: Map<string, string>, path: string }

/** Answers the folder to work in from then on. */
const follow = ({ name, text }: Instruction, image: Image, work: string, { context, named, path }: Around): string => {
  const inside = (place: string): string => join(image.folder, resolve(work, place))
  switch (name) {
    case 'WORKDIR':
      mkdirSync(inside(text), { recursive: true })
      return resolve(work, text)
    case 'ENV':
      Object.assign(image.environment, variablesOf(text))
      break
    case 'COPY': {
      const [, stage, rest] = /^(?:--from=(\w+)\s+)?(.*)$/.exec(text)!
      const from = stage === undefined ? context : named.get(stage)!
      const paths = rest!.split(/\s+/)
      const to = paths.pop()!
      for (const one of paths) {
        cpSync(join(from, one), to.endsWith('/') ? join(inside(to), one) : inside(to), { recursive: true, verbatimSymlinks: true })
      }
      break
    }
    case 'RUN': {
      if (text === INSTALL && linkInstalled(inside('.'))) break
      // Absolute places are those of the image. What the checkout built is not built again: release.test.ts builds it of these files.
      const here = text.replaceAll(/(?<=\s)\/[\w/.-]+/g, (place) => join(image.folder, place)).replace(/^npm run build\b/, `cp -r '${ROOT}dist' dist`)
      const env = { ...process.env, ...image.environment, PATH: path, npm_config_prefer_offline: 'true' }
      execFileSync('sh', ['-c', here], { cwd: inside('.'), env, stdio: ['ignore', 'ignore', 'inherit'] })
      break
    }
    case 'USER': image.user = text; break
    case 'ENTRYPOINT': image.command = JSON.parse(text) as string[]; break
    case 'CMD': image.command.push(...JSON.parse(text) as string[]); break
    case 'HEALTHCHECK': image.healthcheck = JSON.parse(/CMD (\[.*\])$/.exec(text)![1]!) as string[]; break
    case 'ARG': case 'FROM': case 'LABEL': case 'EXPOSE': break
    default: throw new Error(`${name} is not understood here`)
  }
  return work
}
