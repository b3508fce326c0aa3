/** Reads one requirement package of an exploration as markdown; a long one in windows with an outline. */
import type { FromSchema } from 'json-schema-to-ts'
import input from '#schemas/tools/get_requirement_package.input.json' with { type: 'json' }
import output from '#schemas/tools/get_requirement_package.output.json' with { type: 'json' }
import { Refusal } from '../../lib/errors.js'
import { isArtifactType } from '../records.js'
import { requireExploration } from './access.js'
import { codePointBoundary } from './truncate.js'
import { outline } from './outline.js'
import { fenced, quoteText } from './escape-text.js'
import { READING, type Context, type PlanningTool } from './planning-tool.js'
import { result } from '../../engine/tools/tool.js'

const MAX_HEADINGS = 200

export const getRequirementPackage: PlanningTool<FromSchema<typeof input>> = {
  name: 'get_requirement_package',
  title: 'Read a requirement package',
  description: 'Reads the markdown requirements of an exploration, e.g. design or code: read them before you ' +
    'implement. A long text comes in windows, with an outline; go on with offset = next_offset.',
  ...READING,
  input,
  output,
  async run ({ exploration_id: id, artifact_type: type, offset, max_chars: maxChars }, context) {
    const exploration = await requireExploration(context, id)
    const found = isArtifactType(type) ? await context.store.packages.get(exploration, type, context.signal) : undefined
    if (found === undefined) throw await missing(context, exploration)

    // Characters are UTF-16 code units, as in JavaScript's string length. A window never splits a code point.
    const { markdown: whole, title, ...facts } = found
    if (offset > 0 && offset >= whole.length) {
      throw new Refusal(`offset ${offset} is beyond the end: the text has total_chars ${whole.length}. Use a ` +
        'smaller offset.')
    }
    const start = codePointBoundary(whole, offset)
    const end = codePointBoundary(whole, Math.min(start + maxChars, whole.length))
    const markdown = whole.slice(start, end)
    const fits = markdown.length === whole.length
    const { shown, omitted } = fits ? { shown: [], omitted: 0 } : outline(whole, MAX_HEADINGS)

    const structured = {
      ...facts,
      ...(title !== undefined && { title }),
      markdown,
      offset: start,
      total_chars: whole.length,
      ...(end < whole.length && { next_offset: end }),
      ...(!fits && { outline: shown }),
      ...(omitted > 0 && { outline_omitted: omitted })
    }
    const head = `Package ${facts.artifact_type}${title === undefined ? '' : ` ${quoteText(title)}`} ` +
      `of exploration ${facts.exploration_id}, version ${facts.version}, updated ${facts.updated_at}; `
    const headingLines = shown.map((heading) =>
      `${heading.offset} ${'#'.repeat(heading.level)} ${quoteText(heading.title)}`)
    return result(structured, [
      head + (fits ? `complete, ${whole.length} characters` : `characters ${start} to ${end} of ${whole.length}`),
      ...(fits ? [] : ['Headings (offset, title):', ...headingLines]),
      ...(omitted > 0 ? [`… and ${omitted} headings of lower levels or further down`] : []),
      fenced(markdown, 'markdown'),
      ...(end < whole.length ? [`Goes on: offset ${end}`] : [])
    ].join('\n'))
  }
}

const missing = async ({ store }: Context, exploration: string): Promise<Refusal> => {
  const types = await store.packages.types(exploration)
  return new Refusal(types.length === 0
    ? 'This exploration has no requirement package yet. Call get_exploration for its summaries and answered questions.'
    : `This exploration has no package of that type. Use artifact_type ${types.join(' or ')}.`, 'not_found')
}
