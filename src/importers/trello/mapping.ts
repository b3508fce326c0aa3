/** Imports JSON of a Trello board: lists as groups, cards as items. */
import { asObject, type JsonObject } from '../../lib/json/json-object.js'
import { trackerExplorations, type TrackerIssue } from '../csv/tracker-plan.js'
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { knownStatus } from '../drafts/statuses.js'
import { objectsIn, textIn } from '../markdown/front-matter.js'
import { nameAsTitle } from '../markdown/title.js'
import { pluralize } from '../../lib/text/text.js'
import { baseName } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import type { Importer } from '../types.js'

export const trello: Importer = {
  id: 'trello',
  about: 'JSON exported from a board of Trello',

  exports: {
    extension: /\.json$/i,
    recognizes: (head) =>
      /"(?:idBoard|idList|idOrganization)"\s*:/.test(head) ? 'the lists and cards of a board' : undefined
  },

  async convert ({ path }, context) {
    const value = await readJson(path, context)
    if (value === undefined) return []
    const board = asObject(value)
    if (!Array.isArray(board['lists']) || !Array.isArray(board['cards'])) {
      context.report.problem(path, 'left out: it has no lists and cards as Trello writes them')
      return []
    }
    const all = objectsIn(board, 'cards')
    const lists = new Map(objectsIn(board, 'lists').map((list) => [textIn(list, 'id'), list]))
    const listOf = (card: JsonObject): JsonObject => lists.get(textIn(card, 'idList')) ?? {}
    const cards = all.filter((card) => card['closed'] !== true && listOf(card)['closed'] !== true)
    const archived = all.length - cards.length
    if (archived > 0) context.report.note(path, `left out: ${pluralize(archived, 'archived card')}`)
    const project = textIn(board, 'name') || nameAsTitle(baseName(path))
    const checklists = objectsIn(board, 'checklists')
    const issues = cards.map((card): TrackerIssue => {
      const group = textIn(listOf(card), 'name')
      const labels = objectsIn(card, 'labels').map((label) => textIn(label, 'name')).filter(Boolean)
      return {
        id: textIn(card, 'idShort'),
        title: textIn(card, 'name'),
        texts: [
          factsLine({ Labels: labels }), textIn(card, 'shortUrl'), textIn(card, 'desc'),
          ...checklists.filter(({ idCard }) => idCard === card['id']).map(textOfChecklist)
        ],
        status: card['dueComplete'] === true
          ? 'done'
          : context.statuses.get(group.toLowerCase()) ?? knownStatus(group)?.status ?? 'todo',
        project,
        group,
        updatedAt: readDate(card['dateLastActivity'])
      }
    })
    return trackerExplorations(path, 'trello', issues, new Map([[project, { title: project }]]))
  }
}

const textOfChecklist = (checklist: JsonObject): string =>
  [`${textIn(checklist, 'name')}:`, '', ...objectsIn(checklist, 'checkItems')
    .map((item) => `- [${item['state'] === 'complete' ? 'x' : ' '}] ${textIn(item, 'name')}`)].join('\n')
