import { shownName } from '@tollway/client'

/** A text of a stranger, with each character that is not visible written out. Lines and tabs stay. */
export const visible = (text: string): string =>
  text.replaceAll(/[^\n\t]+/g, (piece) => shownName(piece))

/** The same where other text stands beside it, whose direction it must not change. */
export const Foreign = ({ text }: { text: string | null | undefined }) => (
  <bdi>{visible(text ?? '')}</bdi>
)
