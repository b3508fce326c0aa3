/** Opens the built-in embedder: word vectors from WordNet, the built-in thesaurus, and the operator's. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { bytesInFile, type ByteSource } from './byte-source.js'
import { wordVectorEmbedder, type WordVectorEmbedder } from './word-vector-embedder.js'
import { canonicalGroups } from './canonical-groups.js'
import { readLexicon } from './lexicon.js'
import { retrofit } from './retrofit.js'
import { packRetrofitted, readRetrofitted } from './retrofitted-file.js'
import { readGroups } from './read-groups.js'
import { vocabulary } from './vocabulary.js'
import { identifyVectors, VECTORS_FILE } from './word-vector-identity.js'

export interface WordVectorOptions {
  /** Path of the operator's thesaurus. */
  thesaurusFile?: string | undefined
}

/** The words of the built-in thesaurus, retrofitted when the program was built. It exists in a built program only. */
const RETROFITTED_FILE = new URL('retrofitted.bin', import.meta.url)

/**
 * Opens the files of vectors, which are read by the word and stay open.
 * @throws {Refusal} that names each bad line of the operator's thesaurus
 */
export async function openWordVectors (options: WordVectorOptions = {}): Promise<WordVectorEmbedder> {
  const { lexicon, version, canonical } = await readFiles(options)
  // Only the words of the operator's own thesaurus have to be retrofitted here.
  const built = options.thesaurusFile === undefined && existsSync(RETROFITTED_FILE)
    ? openFile(RETROFITTED_FILE, (file) => readRetrofitted(file, version))
    : undefined
  return wordVectorEmbedder(vocabulary(lexicon, built ?? retrofit(lexicon, canonical())), version)
}

/** Writes the file of retrofitted words beside this module, for `npm run build`. */
export const buildRetrofittedWords = async (): Promise<void> => {
  const { lexicon, version, canonical } = await readFiles({})
  await writeFile(RETROFITTED_FILE, packRetrofitted(retrofit(lexicon, canonical()), version))
}

async function readFiles ({ thesaurusFile }: WordVectorOptions) {
  const { own, groups } = await readGroups(thesaurusFile)
  const { version } = await identifyVectors(groups)
  const lexicon = openFile(VECTORS_FILE, readLexicon)
  return { lexicon, version, canonical: () => canonicalGroups(groups, own, lexicon) }
}

/** The file stays open, unless there is nothing in it to be read. */
const openFile = <Content>(path: URL, read: (file: ByteSource) => Content): Content => {
  const file = bytesInFile(path)
  let content: Content | undefined
  try {
    content = read(file)
    return content
  } finally {
    if (content === undefined) file.close()
  }
}
