/**
 * A table of Markdown, without a line break at its end.
 * @param {readonly string[]} head
 * @param {ReadonlyArray<ReadonlyArray<string | number>>} rows
 * @param {string} [rule] the line between them
 */
export const markdownTable = (head, rows, rule = `|${'---|'.repeat(head.length)}`) =>
  [`| ${head.join(' | ')} |`, rule, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')
