// Controls, marks of direction and other formatting make a name read as another one. The two joiners stay: scripts and
// emoji need them.
const hidden = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The name of a file as a person should see it: each character that is not visible is written out, as `[U+202E]`. */
export const shownName = (name: string): string =>
  name.replaceAll(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
    return `[U+${code.padStart(4, '0')}]`
  })

/** The name under which a file is saved: without what would make it look like another one. */
export const savedName = (name: string): string => name.replaceAll(hidden, '_')
