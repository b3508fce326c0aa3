/** The embedder of a sentence-embedding model in a local folder. Nothing is downloaded. */
import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { Refusal } from '../../../lib/errors.js'
import { EmbedderUnavailable } from '../../embedder.js'
import type { Embedder } from '../../embedder.js'
import { joinParts } from '../../join-parts.js'
import { toUnitVector } from '../../vector.js'
import { modelFolder } from './model-folder.js'
import { model } from './model.js'
import type { ModelOptions } from './model-worker.js'

export interface OnnxOptions {
  /** The model's folder. */
  folder: string
  pooling: ModelOptions['pooling']
  queryPrefix: string
  documentPrefix: string
  /** Characters of a text that the model gets; its tokenizer cuts the rest. */
  window: number
}

const LIBRARY = '@huggingface/transformers'
const CHARACTERS_PER_TOKEN = 4
// Small, so that a query does not wait long between documents.
const TEXTS_AT_ONCE = 4

/**
 * Opens the model. `library` is the module to import.
 * @throws {Refusal} when the package or a file is missing, or when the model does not run
 */
export async function openOnnx (settings: OnnxOptions, library = LIBRARY): Promise<Embedder> {
  const { folder, pooling, queryPrefix, documentPrefix, window } = settings
  const { fingerprint, ...files } = await modelFolder(resolve(folder))
  const ask = model({ ...files, pooling, library })
  const first = await ask(['a'])
  if (!first.ok && first.missing) {
    throw new Refusal(`EMBEDDER=onnx needs the package ${LIBRARY}, which is not installed: npm install ${LIBRARY}`)
  }
  if (!first.ok) throw new Refusal(`The model in ${folder} (ONNX_MODEL) cannot be used: ${first.fault}`)
  const { dimensions, tokens } = first
  const identity = JSON.stringify([fingerprint, pooling, queryPrefix, documentPrefix, window])
  return {
    id: `onnx:${basename(files.path)}`,
    version: createHash('sha256').update(identity).digest('hex').slice(0, 16),
    dimensions,
    window: Math.min(window, tokens * CHARACTERS_PER_TOKEN),
    async embed (texts, { kind, signal }) {
      const prefix = kind === 'query' ? queryPrefix : documentPrefix
      const inputs = texts.map((text) => joinParts(text, { prefix, window }))
      const found: Float32Array[] = []
      for (let at = 0; at < inputs.length; at += TEXTS_AT_ONCE) {
        signal?.throwIfAborted()
        const some = inputs.slice(at, at + TEXTS_AT_ONCE)
        const answer = await ask(some)
        if (!answer.ok) throw new EmbedderUnavailable(`The model of ONNX_MODEL failed: ${answer.fault}`)
        for (const [row, text] of some.entries()) {
          const numbers = answer.data.subarray(row * dimensions, (row + 1) * dimensions)
          const vector = text === '' ? undefined : toUnitVector([...numbers])
          found.push(vector ?? new Float32Array(dimensions))
        }
      }
      signal?.throwIfAborted()
      return found
    }
  }
}
