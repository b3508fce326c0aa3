/** Settings of earlier versions, each with what to do instead. */
import { Refusal } from '../lib/errors.js'

const NO_ONNX = 'The server runs no model itself any more. Run the model in a local server that has /v1/embeddings ' +
  '(Ollama, llama.cpp, TEI), and set EMBEDDER=openai, EMBEDDINGS_URL and EMBEDDINGS_MODEL.'

/** `value`: only this value of the variable was removed. */
const REMOVED: ReadonlyArray<{ variable: string, value?: string, instead: string }> = [
  { variable: 'EMBEDDER', value: 'onnx', instead: NO_ONNX },
  { variable: 'ONNX_MODEL', instead: NO_ONNX },
  { variable: 'ONNX_POOLING', instead: NO_ONNX }
]

/** @throws {Refusal} for a variable that was removed, or a value of one */
export const refuseRemovedSettings = (env: Readonly<Record<string, string | undefined>>): void => {
  for (const { variable, value, instead } of REMOVED) {
    const given = env[variable]
    if (!given || (value !== undefined && given !== value)) continue
    throw new Refusal(`${variable}${value === undefined ? '' : `=${value}`} was removed. ${instead}`)
  }
}
