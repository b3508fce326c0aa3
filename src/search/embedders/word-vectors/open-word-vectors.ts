/** Opens the built-in embedder: word vectors from WordNet, the built-in thesaurus, and the operator's. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { deserialize, serialize } from 'node:v8'
import { readLexicon } from './lexicon.js'
import { retrofit, type RetrofittedWords } from './retrofit.js'
import { canonicalGroups, readGroups, type Groups } from './thesaurus.js'
import { vocabulary } from './vocabulary.js'
import { wordVectorEmbedder, type WordVectorEmbedder } from './word-vector-embedder.js'

export interface WordVectorOptions {
  thesaurusFile?: string | undefined
}

/** To be increased whenever the same words would get another vector. */
const ALGORITHM = 5
const VECTORS_FILE = new URL('wordnet.bin', import.meta.url)
/** The words of the built-in thesaurus, retrofitted when the program was built. It exists in a built program only. */
const RETROFITTED_FILE = new URL('retrofitted.bin', import.meta.url)
/** Their version, from the build too: a start that reads the vectors for it takes 14 MB. */
const VERSION_FILE = new URL('version.txt', import.meta.url)

/** @throws {Refusal} that names each bad line of the operator's thesaurus */
export async function openWordVectors ({ thesaurusFile }: WordVectorOptions = {}): Promise<WordVectorEmbedder> {
  const { own, groups } = await readGroups(thesaurusFile)
  const [version, lexicon] = [await versionOf(groups), readLexicon(await readFile(VECTORS_FILE))]
  // Only the words of the operator's own thesaurus have to be retrofitted here.
  const words = (thesaurusFile === undefined ? readBuilt(version) : undefined) ??
    retrofit(lexicon, canonicalGroups(groups, own, lexicon))
  return wordVectorEmbedder(vocabulary(lexicon, words), version)
}

/** The version of the vectors that `openWordVectors` makes, without their memory. Throws as that does. */
export const wordVectorVersion = async (thesaurusFile: string | undefined): Promise<string> =>
  (thesaurusFile === undefined ? await readFile(VERSION_FILE, 'utf8').catch(() => undefined) : undefined) ??
    await versionOf((await readGroups(thesaurusFile)).groups)

const versionOf = async (groups: Groups): Promise<string> => {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(VECTORS_FILE)) hash.update(piece as Buffer)
  return hash.update(JSON.stringify([ALGORITHM, groups])).digest('base64url').slice(0, 16)
}

/** Undefined where there is no file, or one of another version: then they are retrofitted at the start. */
const readBuilt = (version: string): RetrofittedWords | undefined => {
  try {
    const built = deserialize(readFileSync(RETROFITTED_FILE)) as RetrofittedWords & { version: string }
    return built.version === version ? built : undefined
  } catch {
    return undefined
  }
}

/** Writes the retrofitted words and their version beside this module, for `npm run build`. */
export const buildRetrofittedWords = async (): Promise<void> => {
  const { groups } = await readGroups(undefined)
  const lexicon = readLexicon(await readFile(VECTORS_FILE))
  const words = retrofit(lexicon, canonicalGroups(groups, groups, lexicon))
  const version = await versionOf(groups)
  await writeFile(RETROFITTED_FILE, serialize({ version, ...words }))
  await writeFile(VERSION_FILE, version)
}
