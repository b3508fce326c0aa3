/** Queries as hasty people type them: in the longest word two letters change places, or one is missing or doubled. Always the same. */

export const mistyped = (query: string): string => {
  const words = query.split(' ')
  const longest = words.reduce((best, word, place) => /^\p{L}+$/u.test(word) && word.length > (words[best]?.length ?? 0) ? place : best, -1)
  const word = words[longest]
  if (word === undefined || word.length < 5) return query
  const at = 1 + word.charCodeAt(2) % (word.length - 3)
  const [start, here, next, end] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  const slips = [start + next + here + end, start + next + end, start + here + here + next + end]
  words[longest] = slips[word.length % slips.length]!
  return words.join(' ')
}
