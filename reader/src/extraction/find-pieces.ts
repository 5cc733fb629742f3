// Finds many short strings in a text in one pass, several times as fast as a regular expression that lists them.

/**
 * Calls `onPiece` with the value of each piece found, from left to right without overlaps; of two at one place the
 * longer counts.
 */
export type PieceFinder = (text: string, onPiece: (value: number) => void) => void

/** Values are not negative. Pieces are of ASCII characters. */
export function createPieceFinder(values: ReadonlyMap<string, number>): PieceFinder {
  const columns = numberCharacters([...values.keys()].join(''))
  const width = Math.max(...columns) + 1
  /** For each state and column the state that follows; 0 where no piece goes on. */
  const following: number[] = new Array(width).fill(0)
  const valueOfState: number[] = [-1]
  for (const [piece, value] of values) {
    let state = 0
    for (let index = 0; index < piece.length; index += 1) {
      const place = state * width + (columns[piece.charCodeAt(index)] as number)
      state = following[place] as number
      if (state > 0) continue
      state = valueOfState.push(-1) - 1
      following.push(...new Array(width).fill(0))
      following[place] = state
    }
    valueOfState[state] = value
  }
  const next = Uint16Array.from(following)

  return (text, onPiece) => {
    let from = 0
    while (from < text.length) {
      let state = 0
      let found = -1
      let end = from + 1
      for (let index = from; index < text.length; index += 1) {
        const column = columns[text.charCodeAt(index)] ?? 0
        state = next[state * width + column] as number
        if (state === 0) break
        const value = valueOfState[state] as number
        if (value < 0) continue
        found = value
        end = index + 1
      }
      if (found >= 0) onPiece(found)
      from = end
    }
  }
}

/** From 1 for each character; 0 for all others. */
function numberCharacters(characters: string): Uint8Array {
  const columns = new Uint8Array(asciiCodes)
  for (const [index, character] of [...new Set(characters)].entries())
    columns[character.charCodeAt(0)] = index + 1
  return columns
}

const asciiCodes = 128
