/** Imports proposals: RFCs, Kubernetes enhancement proposals (KEP), proposals of Python and Django (PEP, DEP). */
import type { ExplorationStatus } from '../../planning/records.js'
import { asObject } from '../../lib/json/json-object.js'
import { readDate } from '../drafts/dates.js'
import { isMarkdown, packagesOf } from '../drafts/packages.js'
import { documentQuestions } from '../markdown/questions.js'
import { listOf, parseYaml, textIn, textOf } from '../markdown/front-matter.js'
import { readMarkdown } from '../markdown/markdown-file.js'
import { fieldOf, summariesIn, titleHeading } from '../markdown/sections.js'
import { isNothing, nameAsTitle, plainText } from '../markdown/title.js'
import { baseName, folderOf, isAboutOthers } from '../source/paths.js'
import type { ConvertContext, ImportUnit, Importer, NewExploration, SourceText } from '../types.js'

const KEP = /(?:^|\/)kep\.ya?ml$/
const RFC =
  /^(?:.+\/)?(?:(?:active|accepted|approved|implemented)-rfcs|rfcs?|rfds?|text|proposals|enhancements|design-proposals)\/(?:.+\/)?[^/]+\.(?:md|markdown|mdx)$/i
/** Rust stores its RFCs in `text`, a name that means other things elsewhere. */
const NUMBERED = /^(?:RFC-?)?\d{3,4}[-_].+/i
const PROPOSAL = new RegExp(
  String.raw`^(?:(?:.+\/)?(?:peps?|deps?|eps?)\/(?:.+\/)?|(?:.+\/)?(?:draft|accepted|final|active|rejected|` +
  String.raw`withdrawn|superseded)\/|(?:.+\/)?)([^/]+)\.(rst|txt)$`,
  'i'
)
const PROPOSAL_FOLDER = /^(?:.+\/)?(?:peps?|deps?|eps?|draft|accepted|final|active|rejected|withdrawn|superseded)\//i
export const rfc: Importer = {
  id: 'rfc',
  about: 'documents of proposals: RFC folders, KEP folders, PEPs and DEPs',

  find (paths, _report, forced) {
    const kepFolders = new Set(paths.filter((path) => KEP.test(path) && !/nnnn/i.test(folderOf(path))).map(folderOf))
    const units = [...kepFolders].map((path): ImportUnit => ({
      format: 'rfc', path, files: paths.filter((file) => folderOf(file) === path), reason: `kep.yaml in ${path}`
    }))
    const inKep = (path: string): boolean =>
      kepFolders.has(folderOf(path)) || [...kepFolders].some((folder) => path.startsWith(`${folder}/`))
    // Its numbered neighbours, and those one folder below, are documents.
    const homes = new Set(paths.filter((path) => /(?:^|\/)0000-template\.md$/i.test(path)).map(folderOf))
    const isBesideTemplate = (path: string): boolean =>
      NUMBERED.test(baseName(path)) && [folderOf(path), folderOf(folderOf(path))].some((folder) => homes.has(folder))
    for (const path of paths) {
      const name = baseName(path)
      if (isAboutOthers(name) || inKep(path)) continue
      const markdown =
        isMarkdown(path) && (
          forced || isBesideTemplate(path) ||
          (RFC.test(path) && (!/(?:^|\/)text\//i.test(path) || NUMBERED.test(name)))
        )
      const rst =
        PROPOSAL.test(path) &&
        (forced || PROPOSAL_FOLDER.test(path) || /^(?:pep|dep)-\d+\./i.test(name)) &&
        /\.rst$|^(?:pep|dep)-\d+\.txt$/i.test(name)
      if (markdown || rst) {
        units.push({ format: 'rfc', path, files: [path], reason: `a document of a proposal: ${path}` })
      }
    }
    return units
  },

  async convert (unit, context) {
    const draft = unit.files.some((path) => KEP.test(path))
      ? await enhancement(unit, context)
      : isMarkdown(unit.path)
        ? await markdownDocument(unit.path, context)
        : await restructuredText(unit.path, context)
    return draft ? [draft] : []
  }
}

const enhancement = async (
  { path: folder, files }: ImportUnit, context: ConvertContext
): Promise<NewExploration | undefined> => {
  const [metadata] = await context.readAll(files.filter((path) => KEP.test(path)).slice(0, 1))
  if (!metadata) return undefined
  const data = parseYaml(metadata.text, metadata.path, context.report)
  const [readme] = await readMarkdown([files.find((path) => /\/readme\.md$/i.test(path))], context)
  const others = files.filter((path) => isMarkdown(path) && path !== readme?.path)
  const heading = plainText(titleHeading(readme?.blocks ?? [])?.text ?? '').replace(/^KEP-?\d*\s*[:–-]\s*/i, '')
  return {
    title: textIn(data, 'title') || heading || nameAsTitle(baseName(folder)),
    status: documentStatus(textIn(data, 'status'), 'exploring'),
    tags: [
      'kep',
      ...listOf(data['kep-number']).map((number) => `KEP-${number}`),
      ...listOf(data['stage']),
      ...Object.entries(asObject(data['milestone'])).map(([stage, version]) => `${stage} ${textOf(version)}`)
    ],
    summaries: summariesIn(readme, SUMMARIES),
    questions: documentQuestions([readme], context.report),
    packages: packagesOf(folder, { design: [readme, ...await context.readAll(others)], notes: [metadata] }),
    createdAt: readDate(data['creation-date']),
    updatedAt: readDate(data['last-updated']),
    source: { path: readme?.path ?? metadata.path }
  }
}

/** Headings that every proposal has, and that are no title. */
const SECTION = new RegExp(
  String.raw`^(?:summary|abstract|motivation|introduction|overview|background|table of contents|basic example|` +
  String.raw`detailed design|problem|goals|context|status|metadata)\b`,
  'i'
)

const markdownDocument = async (path: string, context: ConvertContext): Promise<NewExploration | undefined> => {
  const [file] = await readMarkdown([path], context)
  if (!file) return undefined
  const { data, body } = file
  const heading = plainText(titleHeading(file.blocks)?.text ?? '')
  const named = SECTION.test(heading)
    ? ''
    : heading.replace(/^(?:RFC|RFD|Proposal)\s*[-#]?\s*\d*\s*[:–—-]\s*/i, '')
      .replace(/^\d+\s*[.:–—-]\s*/, '').trim()
  const field = (name: string): string => plainText(fieldOf(body, name))
  const dates = [
    ...['date', 'created', 'start-date', 'start_date'].map((name) => data[name]),
    ...['Start Date', 'Created', 'Date', 'Creation Date'].map(field)
  ]
  return {
    title: [textIn(data, 'title'), named, field('Feature Name')].find((title) => !isNothing(title)) ??
      nameAsTitle(baseName(path)),
    status: documentStatus(textIn(data, 'status', 'state') || field('(?:Status|State)'), 'ready'),
    tags: ['rfc'],
    summaries: summariesIn(file, SUMMARIES),
    questions: documentQuestions([file], context.report),
    packages: packagesOf(folderOf(path), { design: [file] }),
    createdAt: dates.map(readDate).find(Boolean),
    source: { path, line: 1 }
  }
}

const SUMMARIES = {
  summary: 'summary|abstract', problem: 'motivation', goals: 'goals', 'non-goals': String.raw`non-?\s?goals`
}

const documentStatus = (words: string, unknown: ExplorationStatus): ExplorationStatus => {
  if (/^(?:draft|proposed|discussion|ideation|in review|review|pending|wip|provisional)/i.test(words)) {
    return 'exploring'
  }
  if (/^(?:accepted|approved|merged|published|ready|implementable)/i.test(words)) return 'ready'
  if (/^(?:final|active|implemented|committed|done|released|completed?)/i.test(words)) return 'delivered'
  if (/^(?:rejected|withdrawn|superseded|replaced|abandoned|closed|obsolete)/i.test(words)) return 'archived'
  return /^deferred/i.test(words) ? 'draft' : unknown
}

const restructuredText = async (path: string, context: ConvertContext): Promise<NewExploration | undefined> => {
  const file = await context.read(path)
  if (!file) return undefined
  const field = (name: string): string =>
    new RegExp(`^:?${name}:[ \\t]*(.+?)[ \\t]*$`, 'im').exec(file.text.slice(0, 4000))?.[1] ?? ''
  const status = field('Status')
  const number = field('(?:PEP|DEP|Number)')
  if (status === '' && number === '') {
    context.report.note(path, 'left out: it has neither a status nor a number, as a proposal has')
    return undefined
  }
  const title = field('Title') || rstTitle(file).replace(/^(?:PEP|DEP)\s*\d*\s*[:–—-]\s*/i, '')
  return {
    title: title || nameAsTitle(baseName(path)),
    status: documentStatus(status, 'exploring'),
    tags: [
      /^pep/i.test(baseName(path)) || /^:?PEP:/im.test(file.text.slice(0, 4000)) ? 'pep' : 'dep',
      ...(field('Type') === '' ? [] : [field('Type')])
    ],
    packages: packagesOf(folderOf(path), { design: [file] }),
    createdAt: readDate(field('Created')),
    source: { path, line: 1 }
  }
}

/** The first underlined line. */
const rstTitle = ({ text }: SourceText): string =>
  /^[ \t]*(\S[^\r\n]*?)[ \t]*\r?\n([=\-~^"'#*+])\2{2,}[ \t]*(?:\r?\n|$)/m
    .exec(text.slice(0, 10_000))?.[1]
    ?.replace(/^([=\-~^"'#*+])\1+$/, '') ?? ''
