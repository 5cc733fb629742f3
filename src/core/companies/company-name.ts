// The names of companies, as registries and people write them.

/** What registries add to a name and people leave out. */
const legalWords = new Set(
  'inc incorporated corp corporation co company ltd limited llc lp llp plc sa ag nv se spa asa ab oyj pbc com de new adr'.split(
    ' ',
  ),
)

/**
 * The words of a name in lower case. An apostrophe joins: "Macy's" is `macys`. People write "and" where registries
 * write an ampersand.
 */
export const wordsOfName = (name: string): string[] =>
  name
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .match(/[\p{L}\p{N}]+/gu)
    ?.filter((word) => word !== 'and') ?? []

/** The words of a name without its legal form: `apple` of "Apple Inc.", `coca cola` of "COCA COLA CO". */
export function coreOfName(name: string): string[] {
  const words = wordsOfName(name)
  if (words.length > 1 && words[0] === 'the') words.shift()
  while (words.length > 1 && legalWords.has(words.at(-1) ?? '')) words.pop()
  return words
}

/** How a name may be meant: "Macy's" is a name with an s, or the possessive of one without. */
export function readingsOfName(name: string): readonly (readonly string[])[] {
  const whole = coreOfName(name)
  const owner = coreOfName(name.replaceAll(/['’]s?(?=\s|$)/gi, ''))
  return owner.join(' ') === whole.join(' ') ? [whole] : [owner, whole]
}

/** Whether both name the same company. Spaces do not count: "JP Morgan" is JPMORGAN. */
export const isSameName = (asked: string, name: string): boolean => {
  const core = coreOfName(name).join('')
  return readingsOfName(asked).some((words) => words.join('') === core)
}
