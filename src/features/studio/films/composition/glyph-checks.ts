// Whether a font has the characters of a drawing. Where none has, a box would be drawn.
import type { Drawing } from '../components/drawing.ts'
import { placeOf, textOf } from '../fonts/drawn-text.ts'
import type { FontShelf } from '../fonts/shelf.ts'
import { type CompositionProblem, problem } from './problem.ts'

const namedMax = 5
/** When all of a text has appeared. */
const end = { progress: 1, seconds: 86_400 }

/** `path`: where the props are. */
export function glyphProblems(
  { drawing, props }: { readonly drawing: Drawing; readonly props: object },
  path: string,
  fonts: FontShelf | undefined,
): CompositionProblem[] {
  const missing = fonts?.missing(textOf(drawing.html(props as never, end))) ?? []
  if (missing.length === 0) return []
  const place = `${path}${placeOf(props, missing) ?? ''}`
  const named = missing.slice(0, namedMax).map(nameOf).join(', ')
  const more = missing.length > namedMax ? ` and ${missing.length - namedMax} more` : ''
  return [
    problem(
      'no_glyph',
      place,
      `No font of this gateway has ${named}${more}, so boxes would be drawn.`,
      `Remove ${named}${more} from ${place}.`,
    ),
  ]
}

/** The characters with their numbers, since the reader may have no font either. */
function nameOf(group: string): string {
  const numbers = [...group].map((character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return `U+${number.padStart(4, '0')}`
  })
  return `${JSON.stringify(group)} (${numbers.join(' ')})`
}
