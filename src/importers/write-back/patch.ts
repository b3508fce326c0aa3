/** Formats changes of files as a diff that `git apply` takes. */
import { isUtf8 } from 'node:buffer'
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'
import type { FileChange, Rewritten } from './rewrite.js'

/** The bytes of the diff, in the order of the paths; empty without changes. */
export const patchOf = (files: readonly FileChange[]): Buffer => Buffer.concat(
  [...files].sort((one, other) => (one.path < other.path ? -1 : 1)).map(({ path, before, after }) => {
    const [from, to] = [`a/${path}`, `b/${path}`].map(quoted)
    const patch = createTwoFilesPatch('a', 'b', before?.toString('latin1') ?? '', after.toString('latin1'), '', '', {
      context: 3, headerOptions: FILE_HEADERS_ONLY
    })
    const old = before ? `--- ${ended(from)}` : 'new file mode 100644\n--- /dev/null'
    return Buffer.concat([
      Buffer.from(`diff --git ${from} ${to}\n${old}\n+++ ${ended(to)}\n`),
      Buffer.from(patch.slice(patch.indexOf('@@')), 'latin1')
    ])
  })
)

export type PatchJson = ReturnType<typeof patchJson>

/** A patch in JSON: where a file is not UTF-8, as Base64. */
export const patchJson = ({ files, left }: Pick<Rewritten, 'files' | 'left'>) => {
  const bytes = patchOf(files)
  const encoding = isUtf8(bytes) ? 'utf-8' as const : 'base64' as const
  return { patch: bytes.toString(encoding), encoding, files: files.map(({ path }) => path), left }
}

/** As git quotes names that a line of a patch cannot have. */
const quoted = (path: string): string => /["\\\p{Cc}]/u.test(path)
  ? `"${path.replaceAll(/["\\\p{Cc}]/gu, (character) =>
    /["\\]/.test(character) ? `\\${character}` : `\\${(character.codePointAt(0) ?? 0).toString(8).padStart(3, '0')}`)}"`
  : path

/** A name with spaces ends with a tab. */
const ended = (name = ''): string => name.includes(' ') ? `${name}\t` : name
