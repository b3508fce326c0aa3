/** Opens the built-in embedder: word vectors from WordNet, the built-in thesaurus, and the operator's. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { wordVectorEmbedder, type WordVectorEmbedder } from './word-vector-embedder.js'
import { canonicalGroups } from './canonical-groups.js'
import { readLexicon } from './lexicon.js'
import { retrofit } from './retrofit.js'
import { packRetrofitted, readRetrofitted } from './retrofitted-file.js'
import { readGroups } from './read-groups.js'
import { vocabulary } from './vocabulary.js'
import { VECTORS_FILE, versionOf } from './word-vector-identity.js'

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
  const [vectors, { own, groups }] = await Promise.all([readFile(VECTORS_FILE), readGroups(thesaurusFile)])
  const lexicon = readLexicon(vectors)
  const version = versionOf(createHash('sha256').update(vectors), groups)
  return { lexicon, version, canonical: () => canonicalGroups(groups, own, lexicon) }
}
