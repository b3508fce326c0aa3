/** Converts Jira's wiki markup to markdown, as far as reading needs it. */

/** Converts headings, lists, links, emphasis and code blocks; other markup stays. */
export const wikiToMarkdown = (text: string): string => {
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
    .replaceAll(/^h([1-6])\.\s*/gm, (_, level: string) => `${'#'.repeat(Number(level))} `)
    .replaceAll(/^(#+)\s+/gm, (whole: string, marks: string, offset: number, all: string) =>
      // A heading of the replacement above begins with the same mark as a numbered list.
      isHeading(all, offset, text) ? whole : `${'   '.repeat(marks.length - 1)}1. `
    )
    .replaceAll(/^(\*{2,})\s+/gm, (_, marks: string) => `${'  '.repeat(marks.length - 1)}- `)
    .replaceAll(/^\*\s+/gm, '- ')
    .replaceAll(/\{\{([^}\n]+)\}\}/g, '`$1`')
    .replaceAll(/(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])/g, '**$1**')
    .replaceAll(/\[([^|\]\n]+)\|([^\]\s]+)\]/g, '[$1]($2)')
    .replaceAll(/^bq\.\s*/gm, '> ')
    .replaceAll(/\{(?:quote|panel|color)(?::[^}]*)?\}/g, '')

/** Whether the line at this offset was a heading in the original. */
const isHeading = (made: string, offset: number, original: string): boolean => {
  const line = made.slice(0, offset).split('\n').length - 1
  return /^h[1-6]\./.test(original.split('\n')[line] ?? '')
}
