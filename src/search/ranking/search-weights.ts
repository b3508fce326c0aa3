/** What a score is made of. */

/** Parts of a score, which goes to 1 for what is named exactly. */
export const WEIGHTS = {
  /** Of what an address names by its number. */
  referred: 0.99,
  /** Of holding what is quoted, and of meaning and words together beside it. */
  quoted: 0.9,
  besideQuoted: 0.09,
  /** Of meaning and words together, where the query names nothing. */
  unnamed: 0.89,
  /** Of the words alone. */
  words: 0.6,
  /** Of a title that is nearly the query, at least. */
  alike: 0.3,
  /** Times the score of what is archived, so that it follows what is not and fits as well. */
  archived: 0.95
}
