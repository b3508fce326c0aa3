/** Finds exports: any table or list may look like one, so that only those are taken that the user named. */
import type { FormatId, Importer } from '../types.js'

/** The search of an importer for the files of an extension. */
export const exportsNamed = (format: FormatId, extension: RegExp): Importer['find'] => (paths, _report, forced) =>
  paths
    .filter((path) => forced === true && extension.test(path))
    .map((path) => ({ format, path, files: [path], reason: `named as ${format}` }))
