/** What identifies the built-in embedder and its vectors, without their memory. */
import { createHash, type Hash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Embedder } from '../../embedder.js'
import { readGroups } from './read-groups.js'

/** To be increased whenever the same words would get another vector. */
const ALGORITHM = 5
// In the graded set of test/search unrelated texts are seldom above the first, related ones seldom above the second.
const SCALE = { unrelated: 0.25, related: 0.8 }
/** The same for each thesaurus. */
export const WORD_VECTORS = { id: 'builtin', scale: SCALE } as const
export const VECTORS_FILE = new URL('wordnet.bin', import.meta.url)
const PIECE_BYTES = 1 << 18
/** Where the file says how long its vectors are. */
const DIMENSIONS_AT = 4

/** The version of vectors that are made of a file with this hash and of these groups. */
const versionOf = (file: Hash, groups: ReadonlyArray<readonly string[]>): string =>
  file.update(JSON.stringify([ALGORITHM, groups])).digest('base64url').slice(0, 16)

/** The version of vectors that are made of these groups. The file is read in pieces, which takes no memory. */
export const identifyVectors = async (
  groups: ReadonlyArray<readonly string[]>
): Promise<{ version: string, dimensions: number | undefined }> => {
  const file = await open(VECTORS_FILE)
  try {
    const hash = createHash('sha256')
    const piece = Buffer.alloc(PIECE_BYTES)
    let dimensions: number | undefined
    for (let { bytesRead } = await file.read(piece); bytesRead > 0; { bytesRead } = await file.read(piece)) {
      dimensions ??= piece.readUInt32LE(DIMENSIONS_AT)
      hash.update(piece.subarray(0, bytesRead))
    }
    return { version: versionOf(hash, groups), dimensions }
  } finally {
    await file.close()
  }
}

/**
 * What identifies the embedder, as `openWordVectors` would say it.
 * @param thesaurusFile path of the operator's thesaurus
 * @throws {Refusal} that names each bad line of the operator's thesaurus
 */
export const identifyWordVectors = async (
  thesaurusFile: string | undefined
): Promise<Pick<Embedder, 'id' | 'version' | 'dimensions' | 'scale'>> =>
  ({ ...WORD_VECTORS, ...await identifyVectors((await readGroups(thesaurusFile)).groups) })
