/** Reads the groups of the built-in thesaurus and of the operator's. */
import { readFile, stat } from 'node:fs/promises'
import { unreadable } from '../../../lib/error-code.js'
import { Refusal } from '../../../lib/errors.js'
import { readThesaurus, type Thesaurus } from './thesaurus.js'

const FAULTS_SHOWN = 20
// Each term takes memory of its own.
const MAX_GROUPS = 5000
const MAX_BYTES = 4_000_000

type Groups = Thesaurus['groups']

/**
 * Resolves to the groups of the built-in thesaurus, and to all groups.
 * @param thesaurusFile path of the operator's thesaurus
 * @throws {Refusal} that names each bad line of the operator's thesaurus
 */
export const readGroups = async (thesaurusFile: string | undefined): Promise<{ own: Groups, groups: Groups }> => {
  const own = readThesaurus(await readFile(new URL('thesaurus.txt', import.meta.url), 'utf8')).groups
  return { own, groups: thesaurusFile === undefined ? own : [...own, ...await readOperators(thesaurusFile)] }
}

const readOperators = async (path: string): Promise<Groups> => {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new Refusal(`THESAURUS_FILE is larger than ${MAX_BYTES / 1e6} MB.`)
    return accepted(path, await readFile(path, 'utf8'))
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(unreadable(`${path} (THESAURUS_FILE)`, error))
  }
}

const accepted = (path: string, text: string): Groups => {
  const { groups, faults } = readThesaurus(text)
  if (groups.length > MAX_GROUPS) {
    throw new Refusal(`THESAURUS_FILE has ${groups.length} groups; at most ${MAX_GROUPS} are read.`)
  }
  if (faults.length === 0) return groups
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ line, reason }) => `${path}:${line}: ${reason}.`)
  if (faults.length > FAULTS_SHOWN) lines.push(`… and ${faults.length - FAULTS_SHOWN} more lines of it.`)
  throw new Refusal(`THESAURUS_FILE has lines that are no group of terms.\n${lines.join('\n')}`)
}
