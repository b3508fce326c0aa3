/** Reads the codes of system, driver and library errors. */

/** The error's own code, such as `ECONNREFUSED` or PostgreSQL's `42501`; undefined when it has none. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** A short cause for a message: the error's code, else its name, else `unknown error`. */
export const errorCodeOrName = (error: unknown): string =>
  errorCode(error) ?? (error instanceof Error ? error.name : 'unknown error')

export const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EEXIST: 'there is a file of this name',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open'
}

/** Why a file or folder cannot be used, for the end of a sentence: `: it is a folder`; otherwise the code, ` (EIO)`. */
export const fileFault = (error: unknown): string => {
  const code = errorCodeOrName(error)
  const fault = FILE_FAULTS[code]
  return fault === undefined ? ` (${code})` : `: ${fault}`
}

/** The sentence on a file that cannot be read: `There is no file x.md.` The caller escapes `name`. */
export const unreadable = (name: string, error: unknown): string =>
  errorCode(error) === 'ENOENT' ? `There is no file ${name}.` : `${name} cannot be read${fileFault(error)}.`

/** The sentence on a file that cannot be written. `option` says where another is named. The caller escapes `name`. */
export const unwritable = (name: string, error: unknown, option?: string): string =>
  errorCode(error) === 'EEXIST' && option !== undefined
    ? `${name} exists already. ${option}`
    : `${name} cannot be written${fileFault(error)}.`

/** Whether a file or folder does not exist, or lies below something that is no folder. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')

/** For the `catch` of a promise of a file: undefined when there is no such file. @throws any other error */
export const undefinedIfMissing = (error: unknown): undefined => {
  if (!isMissing(error)) throw error
}

/** The code in parentheses, to append to a sentence: ` (ECONNREFUSED)`; empty when the error has none. */
export const errorCodeSuffix = (error: unknown): string => {
  const code = errorCode(error)
  return code === undefined ? '' : ` (${code})`
}
