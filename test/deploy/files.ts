/** The files that operators deploy, read as the tools read them that they are written for. */
import { readFileSync } from 'node:fs'
import { parse, parseAllDocuments } from 'yaml'
import { ROOT } from '../helpers/root.js'

export const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

export interface Service {
  image: string
  user?: string
  read_only?: boolean
  entrypoint?: string[]
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  stop_grace_period?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

/** With the defaults of what the environment may say. */
export const compose = (): { services: Record<string, Service> } =>
  parse(read('compose.yaml').replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true })

export interface Instruction { name: string, text: string }

/** The instructions of each stage of the Dockerfile. */
export const stages = (): Instruction[][] => {
  const lines = read('Dockerfile').replaceAll(/\\\n/g, ' ').split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const all: Instruction[][] = []
  for (const line of lines) {
    const [, name, text] = /^(\w+)\s+(.*)$/.exec(line)!
    if (name === 'FROM') all.push([])
    all.at(-1)!.push({ name: name!, text: text! })
  }
  return all
}

/** What the image says of one thing, of the stage that is shipped. */
export const shipped = (name: string): string =>
  stages().at(-1)!.filter((one) => one.name === name).map(({ text }) => text).join('\n')

/** The variables of an instruction `ENV`; a value may have equals signs, but no spaces. */
export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))

/** The image's own environment. */
export const imageEnvironment = (): Record<string, string> => variablesOf(shipped('ENV'))

interface Probe { httpGet: { path: string, port: string } }

/** What is looked at of one. */
export interface Pod {
  terminationGracePeriodSeconds: number
  securityContext: object
  containers: Array<{ securityContext: object, env: Array<{ name: string, value: string }>, ports: object[] } & Record<`${'startup' | 'liveness' | 'readiness'}Probe`, Probe>>
  volumes: Array<{ name: string, secret?: { secretName: string } }>
}

export const kubernetes = (): Array<{ kind: string, spec: unknown }> =>
  parseAllDocuments(read('scripts/deploy/kubernetes.yaml')).map((document) => document.toJS())

/** Each figure that the example for Kubernetes and the guide go by. */
export const figuresNamed = (): string[] => {
  const texts = read('scripts/deploy/kubernetes.yaml') + read('scripts/deploy/README.md')
  return [...new Set(texts.match(/\bmcp_[a-z_]+[a-z]\b(?!\()/g))]
}
