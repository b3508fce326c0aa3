// Writes a sentence-embedding model small enough to read: `node scripts/search/tiny-onnx.mjs FOLDER` makes a folder that
// @huggingface/transformers loads as it loads any other. Words of one group lie near each other; the model looks each word's vector up.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const GROUPS = [
  ['refund', 'chargeback', 'reimburse', 'money', 'back', 'payment'],
  ['login', 'password', 'sign', 'identity', 'account'],
  ['parcel', 'delivery', 'courier', 'shipping', 'tracking'],
  ['the', 'a', 'how', 'do', 'we', 'to', 'of', 'my']
]
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]']
const DIMENSIONS = 8

/** @param {string} folder */
export async function writeTinyModel (folder) {
  const words = [...SPECIAL, ...GROUPS.flat()]
  await mkdir(join(folder, 'onnx'), { recursive: true })
  await Promise.all([
    writeFile(join(folder, 'onnx', 'model.onnx'), model(words.map(vector))),
    writeFile(join(folder, 'config.json'), JSON.stringify({ model_type: 'bert', architectures: ['BertModel'], hidden_size: DIMENSIONS })),
    writeFile(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer(words))),
    writeFile(join(folder, 'tokenizer_config.json'), JSON.stringify({
      tokenizer_class: 'BertTokenizer', model_max_length: 32, pad_token: '[PAD]', unk_token: '[UNK]', cls_token: '[CLS]', sep_token: '[SEP]', mask_token: '[MASK]'
    }))
  ])
}

/** One axis a group, and a little of the last axis that tells its words apart; nothing for what is no word. @param {string} word */
function vector (word) {
  const group = GROUPS.findIndex((words) => words.includes(word))
  const values = new Array(DIMENSIONS).fill(0)
  if (group >= 0) {
    values[group] = group === GROUPS.length - 1 ? 0.01 : 1
    values[DIMENSIONS - 1] = (GROUPS[group]?.indexOf(word) ?? 0) / 20
  }
  return values
}

/** @param {string[]} words */
const tokenizer = (words) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: SPECIAL.map((content, id) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }],
    pair: [],
    special_tokens: { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] }, '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] } }
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id]))
  }
})

/** An ONNX graph of one node, Gather(embeddings, input_ids), in protobuf's wire format (onnx.proto names the numbers). @param {number[][]} rows */
function model (rows) {
  const FLOAT = 1
  const INT64 = 7
  const raw = Buffer.from(Float32Array.from(rows.flat()).buffer)
  const embeddings = message(number(1, rows.length), number(1, DIMENSIONS), number(2, FLOAT), text(8, 'embeddings'), bytes(9, raw))
  const gather = message(text(1, 'embeddings'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather'))
  const graph = message(
    bytes(1, gather), text(2, 'tiny'), bytes(5, embeddings),
    bytes(11, value('input_ids', INT64, ['batch', 'sequence'])),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'sequence', DIMENSIONS]))
  )
  return message(number(1, 8), text(2, 'exploration-mcp'), bytes(7, graph), bytes(8, message(text(1, ''), number(2, 17))))
}

/** @param {string} name @param {number} type @param {Array<string | number>} shape */
function value (name, type, shape) {
  const dimensions = shape.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : text(2, size)))
  return message(text(1, name), bytes(2, bytes(1, message(number(1, type), bytes(2, message(...dimensions))))))
}

/** @param {Buffer[]} fields */
const message = (...fields) => Buffer.concat(fields)
/** @param {number} field @param {number} of */
const number = (field, of) => message(varint(field << 3), varint(of))
/** @param {number} field @param {Buffer} of */
const bytes = (field, of) => message(varint(field << 3 | 2), varint(of.length), of)
/** @param {number} field @param {string} of */
const text = (field, of) => bytes(field, Buffer.from(of))

/** @param {number} of */
function varint (of) {
  const septets = []
  for (; of > 127; of >>>= 7) septets.push(of & 127 | 128)
  return Buffer.from([...septets, of])
}

const [,, folder] = process.argv
if (folder && import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeTinyModel(folder)
