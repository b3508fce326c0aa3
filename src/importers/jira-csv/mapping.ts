/** Imports CSV of Jira. Columns may repeat, and their names are in the site's language. */
import { readDate } from '../drafts/dates.js'
import { factsLine } from '../drafts/packages.js'
import { isGivenUp, readStatus, reportNoStatus, type ReadStatus } from '../drafts/statuses.js'
import { CSV, headerOf, readTable, type CsvRow, type CsvTable } from '../csv/table.js'
import { resolveReferences, type NamedIssue } from '../csv/references.js'
import { trackerExplorations, type TrackerProject } from '../csv/tracker-plan.js'
import type { ConvertContext, Importer, NewExploration } from '../types.js'

const KEY = /^[A-Z][A-Z0-9_]{0,20}-\d+$/

export const jiraCsv: Importer = {
  id: 'jira-csv',
  about: 'CSV exported from Jira',

  exports: {
    extension: CSV,
    recognizes (head) {
      const header = headerOf(head)
      const isJira = header.includes('issue key') || (header.includes('summary') && header.includes('issue type'))
      if (isJira) return 'the columns of an export of Jira'
      if (header.some((name) => /^(?:title|(?:task )?name)$/.test(name))) return undefined
      const knownColumns = [...COLUMNS.values()].flat().filter((name) => header.includes(name.toLowerCase()))
      if (knownColumns.length >= 3) return 'columns of an export of Jira in another language'
      // Column names in an unknown language: recognize the issue keys.
      const second = head.split(/\r?\n/)[1] ?? ''
      return header.length > 5 && /(?:^|[,;])"?[A-Z][A-Z0-9_]+-\d+"?(?:[,;]|$)/.test(second)
        ? 'issue keys like ABC-123'
        : undefined
    }
  },

  async convert ({ path }, context) {
    const source = await context.read(path)
    if (!source) return []
    const table = readTable(source, { ...context, columns: new Map([...columnsIn(source.text), ...context.columns]) })
    const keyColumn = keyColumnOf(table)
    if (keyColumn === undefined) {
      context.report.problem(
        path,
        'left out: no column holds issue keys such as ABC-123; name it with --map key=COLUMN',
        1
      )
      return []
    }
    const rows = table.rows.map((row) => ({ row, key: row.get('key') || row.get(keyColumn) }))
    if (rows.every(({ row }) => row.get('summary') === '')) {
      context.report.problem(path, 'no column is known to hold the titles; name it with --map summary=COLUMN', 1)
    }
    return explorationsOf(path, rows, context)
  }
}

interface KeyedRow {
  row: CsvRow
  key: string
}

/** Standard column names, and their names in several languages. */
const COLUMNS = new Map<string, string[]>([
  ['key', [
    'Issue key', 'Vorgangsschlüssel', 'Clé de ticket', "Clé d'incident", 'Clave de incidencia', 'Chave da item',
    'Chave do item', 'Ключ запроса', '課題キー', '事务密钥'
  ]],
  ['summary', ['Summary', 'Zusammenfassung', 'Résumé', 'Resumen', 'Resumo', 'Тема', '要約', '概要']],
  ['type', [
    'Issue Type', 'Vorgangstyp', 'Type de ticket', 'Tipo de Incidencia', 'Tipo de item', 'Тип запроса', '課題タイプ',
    '事务类型'
  ]],
  ['status', ['Status', 'État', 'Estado', 'Статус', 'ステータス', '状态']],
  ['category', [
    'Status Category', 'Statuskategorie', "Catégorie d'état", 'Categoría de estado', 'Categoria de status'
  ]],
  ['resolution', ['Resolution', 'Lösung', 'Résolution', 'Resolución', 'Resolução', 'Решение', '解決状況', '解决结果']],
  ['description', ['Description', 'Beschreibung', 'Descripción', 'Descrição', 'Описание', '説明', '描述']],
  ['project', ['Project name', 'Projektname', 'Nom du projet', 'Nombre del proyecto', 'Nome do projeto']],
  ['priority', ['Priority', 'Priorität', 'Priorité', 'Prioridad', 'Prioridade', '優先度']],
  ['assignee', ['Assignee', 'Zugewiesene Person', 'Responsable', 'Persona asignada', 'Responsável', '担当者']],
  ['created', ['Created', 'Erstellt', 'Création', 'Creada', 'Criado', 'Создано', '作成日']],
  ['updated', ['Updated', 'Aktualisiert', 'Mise à jour', 'Actualizada', 'Atualizado', 'Обновлено', '更新日']],
  ['sprint', ['Sprint', 'スプリント']],
  ['labels', ['Labels', 'Stichwörter', 'Étiquettes', 'Etiquetas', 'Метки']],
  ['id', ['Issue id', 'Vorgangs-ID', 'ID du ticket', 'ID de la incidencia']],
  ['parent', ['Parent key', 'Parent', 'Parent id', 'Übergeordnet', 'Parent issue']],
  ['epic', ['Custom field (Epic Link)', 'Epic Link', 'Epic Link Key']]
])

const columnsIn = (text: string): Map<string, string> => {
  const header = headerOf(text)
  return new Map(
    [...COLUMNS].flatMap(([ours, theirs]) => {
      const name = theirs.find((one) => header.includes(one.toLowerCase()))
      return name === undefined ? [] : [[ours, name] as const]
    })
  )
}

/** The column whose cells are mostly issue keys. */
const keyColumnOf = ({ header, rows }: CsvTable): string | undefined => {
  if (rows.some((row) => KEY.test(row.get('key')))) return 'key'
  const sample = rows.slice(0, 50)
  return header.find(
    (name) => sample.length > 0 && sample.filter((row) => KEY.test(row.get(name))).length >= sample.length * 0.8
  )
}

const isEpic = ({ row }: KeyedRow): boolean => /^(?:epic|épico|épica|эпик|エピック)$/i.test(row.get('type'))

const explorationsOf = (
  path: string, rows: readonly KeyedRow[], context: ConvertContext
): NewExploration[] => {
  const byKey = new Map(rows.flatMap((entry) =>
    [entry.key, entry.row.get('id') || entry.key].map((key) => [key, entry] as const)))
  const epicOf = (entry: KeyedRow, depth = 0): KeyedRow | undefined => {
    const above = byKey.get(entry.row.get('epic')) ?? byKey.get(parentOf(entry.row))
    if (!above || above === entry || depth > 20) return undefined
    return isEpic(above) ? above : epicOf(above, depth + 1)
  }
  reportNoStatus(
    rows.map(({ row }) => row.get('status') + row.get('category') + row.get('resolution')),
    context.report, path, 'name its column with --map status=COLUMN'
  )
  const projects = new Map<string, TrackerProject>()
  for (const { row, key } of rows.filter(isEpic)) {
    const summary = wikiToMarkdown(row.get('description'))
    projects.set(key, { title: row.get('summary') || key, summary, tags: [key] })
  }
  const issues = rows
    .filter((entry) => !isEpic(entry))
    .flatMap((entry): NamedIssue[] => {
      const { row, key } = entry
      if (key === '' && row.get('summary') === '') {
        context.report.note(path, 'left out: the row has neither a key nor a title', row.line)
        return []
      }
      const { status, remark } = statusOf(row, path, context)
      const epic = epicOf(entry)
      const projectKey = key.replace(/-\d+$/, '')
      const project = epic?.key ?? projectKey
      if (!projects.has(project)) projects.set(project, { title: row.get('project') || projectKey || 'No project' })
      const parent = byKey.get(parentOf(row))
      const facts = factsLine({
        Type: row.get('type'), Priority: row.get('priority'), Assignee: row.get('assignee'), Labels: row.all('labels')
      })
      return [
        {
          id: key,
          title: row.get('summary') || key,
          texts: [remark, facts, wikiToMarkdown(row.get('description'))],
          status,
          project,
          group: row.all('sprint').at(-1) ?? '',
          parent: parent && !isEpic(parent) ? parent.key : '',
          aliases: [],
          blocks: row.all('Outward issue link (Blocks)', 'Outward issue link (Blocker)'),
          blockedBy: row.all(
            'Inward issue link (Blocks)', 'Inward issue link (Blocker)',
            'Outward issue link (Dependency)', 'Outward issue link (Depends)'
          ),
          relatesTo: row.all('Outward issue link (Relates)', 'Inward issue link (Relates)'),
          line: row.line,
          createdAt: readDate(row.get('created')),
          updatedAt: readDate(row.get('updated'))
        }
      ]
    })
  return trackerExplorations(path, 'jira', resolveReferences(issues), projects)
}

const parentOf = (row: CsvRow): string => row.get('parent') || row.get('Parent key') || row.get('Parent id')

/** By the category of the status, else by the resolution, else by the status itself. */
const statusOf = (row: CsvRow, path: string, context: ConvertContext): ReadStatus => {
  const words = row.get('status')
  const category = row.get('category').toLowerCase()
  const resolution = row.get('resolution')
  if (isGivenUp(resolution)) {
    return { status: 'todo', remark: `Resolution in the source: ${resolution}. It is not to be done.` }
  }
  const { statuses, report } = context
  const own = words.toLowerCase()
  const mapped = statuses.get(own)
  if (mapped) return { status: mapped, remark: '' }
  if (/^(?:done|fertig|terminé|listo|concluído|готово|完了|完成)$/.test(category)) return { status: 'done', remark: '' }
  if (/^(?:to do|new|zu erledigen|à faire|por hacer|a fazer)$/.test(category)) {
    return readStatus(words, { statuses: new Map([[own, 'todo']]), report }, path, row.line)
  }
  if (category !== '') return { status: 'in_progress', remark: '' }
  const isResolved = !/^(?:|unresolved|nicht erledigt|non résolu|sin resolver|não resolvido|-)$/i.test(resolution)
  return isResolved ? { status: 'done', remark: '' } : readStatus(words, context, path, row.line)
}

/** Converts Jira's wiki markup to markdown, as far as reading needs it: headings, lists, links, emphasis and code. */
const wikiToMarkdown = (text: string): string => {
  // Code stays as it is.
  const parts = text.split(/(\{(?:code|noformat)(?::[^}]*)?\}[\s\S]*?\{(?:code|noformat)\})/)
  return parts
    .map((part) => {
      const code = /^\{(?:code|noformat)(?::([^}|=]*)(?:\|[^}]*)?)?[^}]*\}([\s\S]*?)\{(?:code|noformat)\}$/.exec(part)
      return code ? `\n\`\`\`${code[1] ?? ''}\n${(code[2] ?? '').trim()}\n\`\`\`\n` : prose(part)
    })
    .join('')
    .trim()
}

const prose = (text: string): string =>
  text
    // Before headings, whose markdown has the same mark as a numbered list.
    .replaceAll(/^(#+)\s+/gm, (_, marks: string) => `${'   '.repeat(marks.length - 1)}1. `)
    .replaceAll(/^h([1-6])\.\s*/gm, (_, level: string) => `${'#'.repeat(Number(level))} `)
    .replaceAll(/^(\*{2,})\s+/gm, (_, marks: string) => `${'  '.repeat(marks.length - 1)}- `)
    .replaceAll(/^\*\s+/gm, '- ')
    .replaceAll(/\{\{([^}\n]+)\}\}/g, '`$1`')
    .replaceAll(/(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])/g, '**$1**')
    .replaceAll(/\[([^|\]\n]+)\|([^\]\s]+)\]/g, '[$1]($2)')
    .replaceAll(/^bq\.\s*/gm, '> ')
    .replaceAll(/\{(?:quote|panel|color)(?::[^}]*)?\}/g, '')
