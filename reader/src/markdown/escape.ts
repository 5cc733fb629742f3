// Text as Markdown text: marks are escaped only where they would mean something, because people and models read the
// text.

const maybeMarked = /[\\`*_[\]<&~]/
/** A star between blanks is a star, and a line inside of a word, as in snake_case, is a line. */
const marks = [
  '\\\\(?=[!-/:-@\\[-`{-~]|\\s*$)',
  '`',
  '(?<=\\S)\\*|\\*(?=\\S)',
  '(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])',
  '<(?=[a-z/!?])',
  '&(?=#?\\w{1,32};)',
  '~(?=~)|(?<=~)~',
].join('|')
const inText = new RegExp(`${marks}|\\](?=[(:])`, 'giu')
const inLink = new RegExp(`${marks}|[\\[\\]]`, 'giu')

export function escapeText(text: string, isInLink: boolean): string {
  if (!maybeMarked.test(text)) return text
  return text.replace(isInLink ? inLink : inText, '\\$&')
}

/** What would begin a heading, a list, a quotation or a rule at the beginning of a line. */
export function escapeLineStarts(paragraph: string): string {
  return paragraph
    .split('\n')
    .map((line) =>
      line
        .replace(/^(?:#{1,6}|[-+*])(?=\s|$)|^>|^=+$/, '\\$&')
        // A row of the marks that divide a table.
        .replace(/^(?=.*[|-])[|:-][|:\s-]*$/, '\\$&')
        .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2'),
    )
    .join('\n')
}
