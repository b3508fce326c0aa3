/** Imports architecture decision records: MADR, Nygard's template and their descendants. One exploration per folder. */
import { readDate } from '../drafts/dates.js'
import { isMarkdown } from '../drafts/packages.js'
import type { Recommendation } from '../../planning/records.js'
import { oneLine } from '../markdown/blocks.js'
import { textIn } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, sectionText, titleHeading } from '../markdown/sections.js'
import { nameAsTitle, plainText } from '../markdown/title.js'
import type { ImportReport } from '../report.js'
import { baseName, folderOf, groupPaths, isAboutOthers } from '../source/paths.js'
import type { DecisionDraft, ImportUnit, Importer } from '../types.js'

const FOLDER_NAMES =
  '(?:\\.?adrs?|decisions|decision[-_](?:records?|log)|' +
  'architecture[-_]decisions?(?:[-_]records?)?|architectural[-_]decisions?(?:[-_]records?)?)'
const IN_FOLDER = new RegExp(`^((?:.+/)?${FOLDER_NAMES})/.+\\.(?:md|markdown|mdx)$`, 'i')

export const adr: Importer = {
  id: 'adr',
  about: 'decision records (MADR, Nygard) in docs/adr, docs/decisions and the like',

  find (paths, _report, forced) {
    const named = groupPaths(paths, IN_FOLDER)
    const found = named.size === 0 && forced ? groupPaths(paths.filter(isMarkdown), /^((?:.*(?=\/))?)/) : named
    return [...found].flatMap(([path, files]): ImportUnit[] =>
      files.every((file) => isAboutOthers(baseName(file)))
        ? []
        : [{ format: 'adr', path: path || '.', files, reason: `decision records in ${path || 'the root'}` }]
    )
  },

  async convert ({ path, files }, context) {
    const isIndex = (file: string): boolean => isAboutOthers(baseName(file))
    for (const file of files.filter(isIndex)) {
      context.report.note(file, 'left out: an index or a template is no decision')
    }
    const read = await readMarkdown(files.filter((file) => !isIndex(file)), context)
    const decisions = read.flatMap((file) => decisionOf(file, context.report) ?? [])
    if (decisions.length === 0) return []
    const dates = decisions.flatMap(({ decidedAt }) => decidedAt ?? []).sort()
    const place = folderOf(path).split('/').filter((part) => !/^(?:docs?|architecture|\.)$/.test(part)).join('/')
    const index = files.find((file) => /\/(?:readme|index)\.md$/i.test(file))
    return [{
      title: place === '' ? 'Decisions' : `Decisions of ${place}`,
      status: 'ready',
      tags: ['adr'],
      decisions,
      createdAt: dates[0],
      updatedAt: dates.at(-1),
      source: index === undefined ? undefined : { path: index }
    }]
  }
}

const decisionOf = (file: MarkdownFile, report: ImportReport): DecisionDraft | undefined => {
  const { path, data, body, text } = file
  const heading = plainText(titleHeading(file.blocks)?.text ?? '') || textIn(data, 'title')
  const title = heading.replace(NUMBER, '').trim() || nameAsTitle(baseName(path))
  if (/^\[[^\]]*\]$|^\{.*\}$|short title of solved problem/i.test(title)) {
    report.note(path, 'left out: a template is no decision')
    return undefined
  }
  const date = readDate(textIn(data, 'date')) ?? readDate(textIn(data, 'Date'))
  const decidedAt = date ?? readDate(fieldOf(body, '(?:Date|Decision Date|Last updated)'))
  return { path, title, body: text, status: verdictOf(statusWords(file)), decidedAt }
}

const NUMBER =
  /^(?:(?:ADR|AD|Decision)[-_ #]*)?\d+\s*[.:)–—-]\s*|^(?:ADR|AD|Decision(?: record)?)(?:[-_ #]*\d+)?\s*[.:–—-]\s*/i

/** The words of the front matter, of a field, or of the section "Status". */
const statusWords = (file: MarkdownFile): string[] => {
  const direct = textIn(file.data, 'status', 'Status')
  if (direct !== '') return [direct]
  const section = sectionText(file, /^(?:[\d.]+\s*)?status$/i).replaceAll(COMMENT, '')
  const field = fieldOf(file.body.replaceAll(COMMENT, ''), 'Status')
  return (section || field).split('\n').map((line) => plainText(line.replace(/^[-*>\s]+/, ''))).filter(Boolean)
}

const COMMENT = /<!--[\s\S]*?-->/g

export const verdictOf = (words: readonly string[]): Recommendation['status'] => {
  const clean = words.map((line) => oneLine(line).replace(/^[^\p{L}]+/u, ''))
  // A decision that was accepted and later replaced has both words.
  if (clean.some((line) => /^(?:superseded|superceded|replaced|deprecated|rejected|obsolete)/i.test(line))) {
    return 'rejected'
  }
  return clean.some((line) => /^(?:accepted|approved|implemented|decided|adopted|active)\b/i.test(line))
    ? 'approved'
    : 'proposed'
}
