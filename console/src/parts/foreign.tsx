import { shownName } from '@tollway/client'

/** A text of a stranger, with each character that is not visible written out. Lines and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(/[^\n\t]+/g, (piece) => shownName(piece))

/** JSON of a stranger, with characters that change the direction of the text as escapes, as JSON has them. */
export const visibleJson = (value: unknown): string =>
  (JSON.stringify(value, null, 2) ?? '').replaceAll(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The same where other text stands beside it, whose direction it must not change. */
export const Foreign = ({ text }: { text: string | null | undefined }) => (
  <bdi>{visible(text ?? '')}</bdi>
)

/** A long name without its middle: its beginning and its ending tell it from others. */
export function shortened(text: string, charactersMax = 80): string {
  const characters = [...text]
  if (characters.length <= charactersMax) return text
  const half = Math.floor(charactersMax / 2)
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}
