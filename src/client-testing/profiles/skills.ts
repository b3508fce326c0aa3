/** Profiles: a server whose skill lies (2026-07-28, SEP-2640). The correct server has a skill of two files. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../../lib/json/json-object.js'
import { isRequest, methodOf, paramsOf, type ClientRequest } from '../proxy/exchange.js'
import { resultReply, withResult } from '../proxy/reply.js'
import { breaks, copes, fromFirst, judgeProcess, refusingJudge, REFUSING } from './judges.js'
import type { ProfileRow } from './profile.js'

export const TEST_SKILLS = new URL('../skills/', import.meta.url)
const ROOT = 'skill://read-the-table'
const SKILL = `${ROOT}/SKILL.md`
const UNUSED = `${ROOT}/assets/unused.md`
// As a path of files the first leaves the folder; the second is a file of another skill.
const OUTSIDE = [`${ROOT}/../outside.md`, 'skill://another-skill/outside.md'] as const
const SEP = 'seps/2640-skills-extension'

const fileRead = (call: ClientRequest): string | undefined =>
  methodOf(call) === 'resources/read' ? String(paramsOf(call)['uri']) : undefined

const describe = (uri: string, text: string): JsonObject =>
  ({ uri, digest: `sha256:${createHash('sha256').update(text).digest('hex')}`, size: Buffer.byteLength(text) })

/** The manifest with these descriptions: instead of those that it has of the same files, or beside the others. */
const withFiles = (entry: JsonObject, described: readonly JsonObject[]): JsonObject => {
  const files = Array.isArray(entry['resources']) ? entry['resources'].filter(isObject) : []
  const others = files.filter(({ uri }) => described.every((one) => one['uri'] !== uri))
  return { ...entry, resources: [...others, ...described] }
}

/** A client that took SKILL.md continues with the other files of the skill. It may read SKILL.md itself again. */
const judgeLoading = refusingJudge((later) =>
  later.find(({ call }) => fileRead(call)?.startsWith(`${ROOT}/`) && fileRead(call) !== SKILL))

type SkillRow = Pick<ProfileRow, 'id' | 'happens'> & Partial<ProfileRow> & {
  /** What is served, by URI, from the text of SKILL.md. */
  files: (text: string, marker: string) => Readonly<Record<string, string>>
  /** Changes the manifest; `served` are the descriptions of what is served, which replace those of it when absent. */
  entry?: (entry: JsonObject, served: readonly JsonObject[]) => JsonObject
}

const skillProfile = ({ files, entry: change = withFiles, judge = judgeLoading, ...rest }: SkillRow): ProfileRow => ({
  kind: 'illegal',
  level: 'MUST',
  modern: `${SEP}#integrity-and-verification`,
  expects: 'not load the skill',
  judgedBy: `no other file of the skill is read after SKILL.md; ${REFUSING}`,
  judge,
  ...rest,
  create ({ marker }) {
    const served = files(readFileSync(new URL('read-the-table/SKILL.md', TEST_SKILLS), 'utf8'), marker)
    const described = Object.entries(served).map(([uri, text]) => describe(uri, text))
    return {
      answer (call, interception) {
        const uri = fileRead(call) ?? ''
        const text = served[uri]
        if (text === undefined) return undefined
        interception.inject(rest.happens)
        const contents = [{ uri, mimeType: 'text/markdown', text }]
        return resultReply(call, { resultType: 'complete', contents, ttlMs: 0, cacheScope: 'private' })
      },
      reply (reply, call, interception) {
        if (!isRequest(call, 'skills/list', 'skills/get')) return reply
        // A client that only lists has not been lied to about what it reads.
        if (judge !== judgeLoading) interception.inject(rest.happens)
        return withResult(reply, call, ({ skills, skill, ...result }) => ({
          ...result,
          ...Array.isArray(skills) && { skills: skills.filter(isObject).map((entry) => change(entry, described)) },
          ...isObject(skill) && { skill: change(skill, described) }
        }))
      }
    }
  }
})

/** The last characters are the marker, so that the size stays. */
const endingWith = (text: string, marker: string): Record<string, string> =>
  ({ [SKILL]: `${text.slice(0, -marker.length - 1)}${marker}\n` })

export const skills: readonly ProfileRow[] = [
  skillProfile({
    id: 'skill-digest-wrong',
    happens: 'SKILL.md has the size of its manifest and another digest',
    files: endingWith,
    entry: (entry) => entry
  }),
  skillProfile({
    id: 'skill-size-wrong',
    happens: 'SKILL.md has the digest of its manifest and another size',
    files: endingWith,
    entry: (entry, served) => withFiles(entry, served.map((file) => ({ ...file, size: Number(file['size']) + 1 })))
  }),
  skillProfile({
    id: 'skill-front-matter-wrong',
    happens: 'SKILL.md has another description than its manifest, with the right digest and size',
    files: (text, marker) => ({ [SKILL]: text.replace(/^description: .*$/m, `description: ${marker}`) })
  }),
  skillProfile({
    id: 'skill-prefetch-trap',
    kind: 'legal',
    modern: `${SEP}#lazy-retrieval`,
    happens: 'the manifest of a skill lists a file that no text mentions',
    expects: 'read a file of a skill when it is needed, not before',
    judgedBy: 'the file is never read',
    files: () => ({ [UNUSED]: 'No text mentions this file.\n' }),
    judge: fromFirst('The client asked for no skill.', (first, _later, evidence) => {
      const early = evidence.exchanges.find(({ call }) => fileRead(call) === UNUSED)
      return early
        ? breaks('It read a file that nothing asked for.', early)
        : judgeProcess(evidence, first) ?? copes('It left the file alone.', first)
    })
  }),
  skillProfile({
    id: 'skill-path-outside',
    modern: `${SEP}#skill-entries`,
    happens: 'the manifest of a skill lists files outside of its folder',
    expects: 'never read those files, or refuse the skill',
    judgedBy: `the files are never read; ${REFUSING}`,
    files: (_text, marker) => Object.fromEntries(OUTSIDE.map((uri) => [uri, marker])),
    judge: refusingJudge((later) => later.find(({ call }) => fileRead(call)?.endsWith('/outside.md')))
  })
]
