/** Opens the built-in embedder: word vectors from WordNet, the built-in thesaurus, and the operator's. */
import { createHash } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { Refusal } from '../../../lib/errors.js'
import { wordVectorEmbedder, type WordVectorEmbedder } from './word-vector-embedder.js'
import { canonicalGroups } from './canonical-groups.js'
import { readLexicon } from './lexicon.js'
import { retrofit } from './retrofit.js'
import { packRetrofitted, readRetrofitted } from './retrofitted-file.js'
import { readThesaurus } from './thesaurus.js'
import { vocabulary } from './vocabulary.js'
import { errorCodeOrName } from '../../../lib/error-code.js'

/** To be increased whenever the same words would get another vector. */
const ALGORITHM = 5
const FAULTS_SHOWN = 20
// Each term takes memory of its own.
const MAX_GROUPS = 5000
const MAX_BYTES = 4_000_000

export interface WordVectorOptions {
  /** Path of the operator's thesaurus. */
  thesaurusFile?: string | undefined
}

/** The words of the built-in thesaurus, retrofitted when the program was built. It exists in a built program only. */
const RETROFITTED_FILE = new URL('retrofitted.bin', import.meta.url)

/** @throws {Refusal} that names each bad line of the operator's thesaurus */
export async function openWordVectors (options: WordVectorOptions = {}): Promise<WordVectorEmbedder> {
  const [{ lexicon, version, canonical }, built] = await Promise.all([
    readFiles(options),
    // Only the words of the operator's own thesaurus have to be retrofitted here.
    options.thesaurusFile === undefined ? readFile(RETROFITTED_FILE).catch(() => undefined) : undefined
  ])
  const words = (built && readRetrofitted(built, version)) ?? retrofit(lexicon, canonical())
  return wordVectorEmbedder(vocabulary(lexicon, words), version)
}

/** Writes the file of retrofitted words beside this module, for `npm run build`. */
export const buildRetrofittedWords = async (): Promise<void> => {
  const { lexicon, version, canonical } = await readFiles({})
  await writeFile(RETROFITTED_FILE, packRetrofitted(retrofit(lexicon, canonical()), version))
}

async function readFiles ({ thesaurusFile }: WordVectorOptions) {
  const [vectors, ours, theirs] = await Promise.all([
    readFile(new URL('wordnet.bin', import.meta.url)),
    readFile(new URL('thesaurus.txt', import.meta.url), 'utf8'),
    thesaurusFile === undefined ? '' : readOperators(thesaurusFile)
  ])
  const lexicon = readLexicon(vectors)
  const own = readThesaurus(ours).groups
  const groups = [...own, ...thesaurusFile === undefined ? [] : accepted(thesaurusFile, theirs)]
  const identity = JSON.stringify([ALGORITHM, groups])
  const version = createHash('sha256').update(vectors).update(identity).digest('base64url').slice(0, 16)
  return { lexicon, version, canonical: () => canonicalGroups(groups, own, lexicon) }
}

async function readOperators (path: string): Promise<string> {
  try {
    if ((await stat(path)).size > MAX_BYTES) throw new Refusal(`THESAURUS_FILE is larger than ${MAX_BYTES / 1e6} MB.`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(`THESAURUS_FILE cannot be read (${errorCodeOrName(error)}).`)
  }
}

function accepted (path: string, text: string): readonly (readonly string[])[] {
  const { groups, faults } = readThesaurus(text)
  if (groups.length > MAX_GROUPS) {
    throw new Refusal(`THESAURUS_FILE has ${groups.length} groups; at most ${MAX_GROUPS} are read.`)
  }
  if (faults.length === 0) return groups
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ line, reason }) => `${path}:${line}: ${reason}.`)
  if (faults.length > FAULTS_SHOWN) lines.push(`… and ${faults.length - FAULTS_SHOWN} more lines of it.`)
  throw new Refusal(`THESAURUS_FILE has lines that are no group of terms.\n${lines.join('\n')}`)
}
