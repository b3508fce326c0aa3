/** Imports JSON of a Trello board: lists as groups, cards as items. */
import { isObject } from '../../lib/json/json-object.js'
import { trackerExplorations, type TrackerIssue } from '../csv/tracker-plan.js'
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { knownStatus } from '../drafts/statuses.js'
import { textOf } from '../markdown/front-matter.js'
import { nameAsTitle } from '../markdown/title.js'
import { pluralize } from '../../lib/text/text.js'
import { baseName } from '../source/paths.js'
import { readJson } from '../source/read-json.js'
import { exportsNamed } from '../source/exports-named.js'
import type { Importer } from '../types.js'

export const trello: Importer = {
  id: 'trello',
  about: 'JSON exported from a board of Trello',

  find: exportsNamed('trello', /\.json$/i),

  recognizes: (path, head) =>
    /\.json$/i.test(path) && /"(?:idBoard|idList|idOrganization)"\s*:/.test(head)
      ? 'the lists and cards of a board'
      : undefined,

  async convert ({ path }, context) {
    const board = await readJson(path, context)
    if (board === undefined) return []
    const all = objectsIn(board, 'cards')
    if (!isObject(board) || !Array.isArray(board['lists']) || !Array.isArray(board['cards'])) {
      context.report.problem(path, 'left out: it has no lists and cards as Trello writes them')
      return []
    }
    const lists = new Map(objectsIn(board, 'lists').map((list) => [textOf(list['id']), list]))
    const isArchived = (card: Fields): boolean =>
      card['closed'] === true || lists.get(textOf(card['idList']))?.['closed'] === true
    const cards = all.filter((card) => !isArchived(card))
    const archived = all.length - cards.length
    if (archived > 0) context.report.note(path, `left out: ${pluralize(archived, 'archived card')}`)
    const project = textOf(board['name']) || nameAsTitle(baseName(path))
    const issues = cards.map((card): TrackerIssue => {
      const list = textOf(lists.get(textOf(card['idList']))?.['name'])
      const labels = objectsIn(card, 'labels').map((label) => textOf(label['name'])).filter(Boolean)
      const checklists = objectsIn(board, 'checklists').filter(({ idCard }) => idCard === card['id'])
      return {
        id: textOf(card['idShort']),
        title: textOf(card['name']),
        description: [
          factsLine({ Labels: labels }),
          textOf(card['shortUrl']),
          textOf(card['desc']),
          ...checklists.map(textOfChecklist)
        ].filter(Boolean).join('\n\n'),
        status: card['dueComplete'] === true
          ? 'done'
          : context.statuses.get(list.toLowerCase()) ?? knownStatus(list)?.status ?? 'todo',
        project,
        group: list,
        updatedAt: readDate(card['dateLastActivity'])
      }
    })
    return trackerExplorations(path, 'trello', issues, new Map([[project, { title: project }]]))
  }
}

type Fields = Readonly<Record<string, unknown>>

const objectsIn = (value: unknown, name: string): Fields[] => {
  const list: unknown = isObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

const textOfChecklist = (checklist: Fields): string =>
  [`${textOf(checklist['name'])}:`, '', ...objectsIn(checklist, 'checkItems')
    .map((item) => `- [${item['state'] === 'complete' ? 'x' : ' '}] ${textOf(item['name'])}`)].join('\n')
