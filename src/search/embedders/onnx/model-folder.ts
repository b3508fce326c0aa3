/** Inspects a folder with a sentence-embedding model, as Hugging Face lays them out. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../../lib/errors.js'

export interface ModelFolder {
  path: string
  /** The folder of the graph inside `path`; '' for itself. */
  subfolder: string
  /** The graph's file name, without `.onnx`. */
  graph: string
  /** A hash of all files that determine the vectors; the same on every machine. */
  fingerprint: string
}

const NEEDED = ['config.json', 'tokenizer.json', 'tokenizer_config.json']

/**
 * The model in the folder.
 * @throws {Refusal} when the folder cannot be read or lacks a file
 */
export async function modelFolder (path: string): Promise<ModelFolder> {
  const files = await namesIn(path)
  if (!files) throw new Refusal(`ONNX_MODEL names no folder that can be read: ${path}.`)
  const missing = NEEDED.filter((name) => !files.includes(name))
  if (missing.length > 0) throw new Refusal(`The folder of ONNX_MODEL, ${path}, lacks ${missing.join(', ')}.`)
  const subfolder = files.includes('onnx') ? 'onnx' : ''
  const candidates = subfolder ? await namesIn(join(path, subfolder)) ?? [] : files
  const graphs = candidates.filter((name) => name.endsWith('.onnx'))
  const [first = 'model.onnx', ...others] = graphs
  const graph = graphs.includes('model.onnx') || others.length > 0 ? 'model.onnx' : first
  if (!graphs.includes(graph)) {
    const names = graphs.sort().join(', ')
    const found = graphs.length === 0 ? 'no .onnx file' : `${names}, none of which is named model.onnx`
    throw new Refusal(`The folder of ONNX_MODEL, ${join(path, subfolder)}, has ${found}.`)
  }
  const data = (await namesIn(join(path, subfolder)) ?? []).filter((name) => name.startsWith(`${graph}_data`)).sort()
  const hash = createHash('sha256')
  for (const file of [...NEEDED, ...[graph, ...data].map((name) => join(subfolder, name))]) {
    await pipeline(createReadStream(join(path, file)), hash, { end: false })
  }
  return { path, subfolder, graph: graph.slice(0, -'.onnx'.length), fingerprint: hash.digest('hex') }
}

const namesIn = async (path: string): Promise<string[] | undefined> => await readdir(path).catch(() => undefined)
