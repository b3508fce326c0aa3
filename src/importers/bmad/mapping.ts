/** Imports BMAD, versions 4 and 6: an epic is an exploration, a story a group, its tasks and subtasks are items. */
import { isMarkdown, packagesOf } from '../drafts/packages.js'
import { PlanDraft } from '../drafts/plan-draft.js'
import { documentQuestions } from '../markdown/questions.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { titleHeading } from '../markdown/sections.js'
import { nameAsTitle, plainText } from '../markdown/title.js'
import { baseName, naturally } from '../source/paths.js'
import type { ConvertContext, ImportUnit, Importer, NewExploration, SourceText } from '../types.js'
import { criteriaIn } from './criteria.js'
import { epicOf, readEpics, readStates, statusIn, type Epic, type Epics } from './epics.js'
import { addStory } from './story.js'

const STORY =
  /^(|.+\/)(?:stories|(?:sprint|implementation)-artifacts)\/(?:.+\/)?(?:story-|e)?(\d+)[.-](\d+[a-z]?)(?:[.-][^/]*)?\.md$/
const OUTPUT = /^((?:.+\/)?_?bmad-output)\//
/** The settings of the tool, beside the documents. */
const TOOL = /^((?:.+\/)?)(?:\.bmad-core|_bmad|\.?bmad)\/(?:.*\/)?(?:core-)?config\.ya?ml$/
const STATES = /(?:^|\/)sprint-status\.ya?ml$/
const PRD = /^(?:planning-artifacts\/)?(?:prds?\/|prd[^/]*\.md$)/
const EPICS = /^(?:planning-artifacts\/)?(?:epics\/|epics?[^/]*\.md$)/
const ARCHITECTURE = /^(?:planning-artifacts\/)?(?:architecture\/|[^/]*architecture[^/]*\.md$)/
const REVIEW = /retro|validation|readiness|checklist|decision-log/i

export const bmad: Importer = {
  id: 'bmad',
  about: 'epics and stories of BMAD in docs/ or _bmad-output/, with sprint-status.yaml',

  find (paths) {
    const homes = new Set(paths.flatMap((path) => {
      const root = TOOL.exec(path)?.[1]
      return OUTPUT.exec(path)?.[1] ?? STORY.exec(path)?.[1] ?? (root === undefined ? [] : `${root}docs`)
    }).map((home) => home.replace(/\/$/, '')))
    // A project of version 4 may go on in the folder of version 6: its documents are one plan.
    const before = (home: string): string => home.replace(/(?<=^|\/)_?bmad-output$/, 'docs')
    const older = new Set([...homes].filter((home) => before(home) !== home).map(before))
    return [...homes].filter((home) => !older.has(home)).flatMap((home): ImportUnit[] => {
      const folders = [home, before(home)].filter((folder) => homes.has(folder))
      const is = (path: string, ...patterns: RegExp[]): boolean => isMarkdown(path) && !REVIEW.test(baseName(path)) &&
        patterns.some((pattern) => pattern.test(inside(home, path)))
      const isPlan = (path: string): boolean => STORY.test(path) || is(path, PRD, EPICS)
      const isIn = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`)
      const files = paths.filter((path) => folders.some((folder) => isIn(path, folder)) &&
        (STATES.test(path) || isPlan(path) || is(path, ARCHITECTURE)))
      const reason = `${files.length} documents of BMAD in ${folders.join(' and ') || 'the root'}`
      const place = folders.find((folder) => files.some((path) => isIn(path, folder) && STORY.test(path))) ?? home
      return files.some(isPlan) ? [{ format: 'bmad', path: place || 'stories', files, reason }] : []
    })
  },

  async convert ({ path: home, files }, context) {
    const epics: Epics = new Map()
    for (const states of await context.readAll(files.filter((path) => STATES.test(path)))) readStates(states, epics)
    const of = (pattern: RegExp): string[] =>
      files.filter((path) => isMarkdown(path) && !STORY.test(path) && pattern.test(inside(home, path)))
    // The documents of the epics come before a PRD that repeats them.
    for (const file of await readMarkdown([...of(EPICS), ...of(PRD)], context)) readEpics(file, epics)
    const stories = files.filter((path) => STORY.test(path)).sort(naturally)
    for (const file of await readMarkdown(stories, context)) addFile(file, epics, context)
    const together = async (pattern: RegExp): Promise<SourceText[]> => await context.readAll(of(pattern))
    const packages = packagesOf(home, { requirements: await together(PRD), design: await together(ARCHITECTURE) })
    const whole: NewExploration = {
      path: `${home}/prd`,
      title: `${context.rootName}: requirements and architecture`,
      status: epics.size > 0 ? 'ready' : 'exploring',
      tags: ['bmad'],
      packages,
      source: { path: packages[0]?.paths[0] ?? home, line: 1 }
    }
    const ordered = [...epics].sort(([a], [b]) => naturally(a, b))
    return [...packages.length > 0 ? [whole] : [], ...ordered.map(([number, epic]) =>
      explorationOf(`${home}/epic-${number}`, `Epic ${number}`, epic, context))]
  }
}

const inside = (home: string, path: string): string => path.startsWith(`${home}/`)
  ? path.slice(home.length + 1)
  : home === '' ? path : path.replace(/^(?:.+\/)?(?:_?bmad-output|docs)\//, '')

/** Adds a story with a file of its own. Another file of the same number is one more story. */
const addFile = (file: MarkdownFile, epics: Epics, { report }: ConvertContext): void => {
  const [, , epic = '', number = ''] = STORY.exec(file.path) ?? []
  const heading = plainText(titleHeading(file.blocks)?.text ?? '')
  const status = statusIn(file)
  if (!/story/i.test(heading) && status.words === '') {
    report.note(file.path, 'left out: it is no story, which has a status, or "Story" in its title')
    return
  }
  const id = `${epic}.${number}`
  const { stories } = epicOf(epics, epic, file.path)
  const known = stories.get(id)
  const title = heading.replace(/^.*?\bstory\b[\s\d.a-z-]*?(?:[:：]|\s[–—-]\s)\s*/i, '')
  const criteria = criteriaIn(file, file.blocks)
  stories.set(known?.file ? `${id} ${file.path}` : id, {
    ...(known && known.words !== '' ? { words: known.words, path: known.path, line: known.line } : status),
    id,
    title: title || known?.title || nameAsTitle(baseName(file.path)),
    criteria: criteria.size > 0 ? criteria : known?.criteria ?? new Map(),
    description: known?.description ?? '',
    file
  })
}

const explorationOf = (path: string, name: string, epic: Epic, context: ConvertContext): NewExploration => {
  const stories = [...epic.stories.values()].sort((a, b) => naturally(a.id, b.id))
  const plan = new PlanDraft(path)
  for (const story of stories) addStory(plan, story, context)
  const files = stories.flatMap(({ file }) => file ?? [])
  const document = epic.text === '' ? undefined : { path: epic.path, text: epic.text, markdown: true }
  return {
    path,
    title: epic.title || name,
    status: epic.state === 'done' ? 'delivered' : plan.progress,
    tags: ['bmad', name],
    questions: documentQuestions(files, context.report),
    packages: packagesOf(path, { spec: [document], tasks: files }),
    plan,
    source: { path: epic.path, line: epic.line }
  }
}
