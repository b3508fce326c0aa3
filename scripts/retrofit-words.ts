// Writes dist/search/embedders/word-vectors/retrofitted.bin, with the program itself: otherwise every start would take half a
// second to move the words of the built-in thesaurus.
import { buildRetrofittedWords } from '../src/search/embedders/word-vectors/open-word-vectors.js'

await buildRetrofittedWords()
