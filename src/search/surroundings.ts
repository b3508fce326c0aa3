/** What is worth reading of a long text to see why it was found: its beginning, and what stands around each word that comes later. */

const BEGINNING = 6000
const BEFORE = 200
const BEHIND = 300

/** `stems`: how the words begin, in small letters. */
export const surroundings = (text: string, stems: readonly string[]): string => {
  if (text.length <= BEGINNING) return text
  const rest = text.slice(BEGINNING).toLowerCase()
  const places = stems.map((stem) => rest.indexOf(stem)).filter((place) => place !== -1).map((place) => BEGINNING + place)
  return [text.slice(0, BEGINNING), ...places.map((place) => text.slice(place - BEFORE, place + BEHIND))].join('\n\n')
}
