/** Imports architecture decision records: MADR, Nygard's template and their descendants. One exploration per folder. */
import { readDate } from '../drafts/dates.js'
import { isMarkdown, present } from '../drafts/packages.js'
import type { Recommendation } from '../../planning/records.js'
import { oneLine } from '../markdown/blocks.js'
import { textOf } from '../markdown/front-matter.js'
import { readMarkdown, type MarkdownFile } from '../markdown/markdown-file.js'
import { fieldOf, sectionText, titleHeading } from '../markdown/sections.js'
import { nameAsTitle, plainText } from '../markdown/title.js'
import { baseName, folderOf, groupPaths, isAboutOthers } from '../source/paths.js'
import type { ConvertContext, DecisionDraft, ImportUnit, Importer } from '../types.js'

const FOLDER_NAMES =
  '(?:\\.?adrs?|decisions|decision[-_](?:records?|log)|' +
  'architecture[-_]decisions?(?:[-_]records?)?|architectural[-_]decisions?(?:[-_]records?)?)'
const IN_FOLDER = new RegExp(`^((?:.+/)?${FOLDER_NAMES})/.+\\.(?:md|markdown|mdx)$`, 'i')

export const adr: Importer = {
  id: 'adr',
  about: 'decision records (MADR, Nygard) in docs/adr, docs/decisions and the like',

  find (paths, _report, forced) {
    const found = groupPaths(paths, IN_FOLDER)
    if (found.size === 0 && forced) {
      for (const path of paths.filter(isMarkdown)) found.set(folderOf(path), [...found.get(folderOf(path)) ?? [], path])
    }
    return [...found].flatMap(([path, files]): ImportUnit[] =>
      files.every((file) => isAboutOthers(baseName(file)))
        ? []
        : [{ format: 'adr', path: path || '.', files, reason: `decision records in ${path || 'the root'}` }]
    )
  },

  async convert ({ path, files }, context) {
    const decisions = present(await Promise.all(files.map((file) => readDecision(file, context))))
    if (decisions.length === 0) return []
    const dates = decisions.flatMap(({ decidedAt }) => decidedAt ?? []).sort()
    const place = folderOf(path)
      .split('/')
      .filter((part) => !/^(?:docs?|architecture|\.)$/.test(part))
      .join('/')
    return [
      {
        path,
        title: place === '' ? 'Decisions' : `Decisions of ${place}`,
        status: 'ready',
        tags: ['adr'],
        decisions,
        createdAt: dates[0],
        updatedAt: dates.at(-1),
        source: { path: files.find((file) => /\/(?:readme|index)\.md$/i.test(file)) ?? files[0] ?? path }
      }
    ]
  }
}

const readDecision = async (path: string, context: ConvertContext): Promise<DecisionDraft | undefined> => {
  if (isAboutOthers(baseName(path))) {
    context.report.note(path, 'left out: an index or a template is no decision')
    return undefined
  }
  const file = await readMarkdown(path, context)
  if (!file) return undefined
  const title = titleOfDecision(file)
  if (/^\[[^\]]*\]$|^\{.*\}$|short title of solved problem/i.test(title)) {
    context.report.note(path, 'left out: a template is no decision')
    return undefined
  }
  const words = statusWords(file)
  return {
    path,
    title,
    body: file.text,
    status: verdictOf(words),
    decidedAt:
      readDate(textOf(file.data['date'])) ??
      readDate(textOf(file.data['Date'])) ??
      readDate(fieldOf(file.body, '(?:Date|Decision Date|Last updated)'))
  }
}

const titleOfDecision = (file: MarkdownFile): string => {
  const heading = plainText(titleHeading(file.blocks)?.text ?? '') || textOf(file.data['title'])
  const bare = heading
    .replace(
      /^(?:(?:ADR|AD|Decision)[-_ #]*)?\d+\s*[.:)–—-]\s*|^(?:ADR|AD|Decision(?: record)?)(?:[-_ #]*\d+)?\s*[.:–—-]\s*/i,
      ''
    )
    .trim()
  return bare || nameAsTitle(baseName(file.path))
}

/** The words of the front matter, of a field, or of the section "Status". */
const statusWords = (file: MarkdownFile): string[] => {
  const direct = textOf(file.data['status']) || textOf(file.data['Status'])
  if (direct !== '') return [direct]
  const section = sectionText(file, /^(?:[\d.]+\s*)?status$/i).replaceAll(/<!--[\s\S]*?-->/g, '')
  if (section !== '') {
    return section
      .split('\n')
      .map((line) => plainText(line.replace(/^[-*>\s]+/, '')))
      .filter(Boolean)
  }
  const field = fieldOf(file.body.replaceAll(/<!--[\s\S]*?-->/g, ''), 'Status')
  return field === '' ? [] : [plainText(field)]
}

/** The verdict of a decision by the words of its status. */
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
