// Patterns of schemas. Those of other languages are often not valid here. They are left out, as are those that a text
// can keep busy for ever, so that the vendor judges the value.

const patternCharactersMax = 500

export function readPattern(pattern: unknown): { pattern?: string } {
  if (typeof pattern !== 'string') return {}
  const written = /^\/(.+)\/$/.exec(pattern)?.[1] ?? pattern
  const candidates = [written, written.replace(/\\([@#%&=:;,'"<>!~` _-])/g, '$1')]
  const valid = candidates.find(isPattern)
  return valid === undefined ? {} : { pattern: valid }
}

function isPattern(pattern: string): boolean {
  if (pattern.length > patternCharactersMax || canHang(pattern)) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

const endless = /^(?:[*+]|\{\d+,\})/

/**
 * Whether a group is repeated without end that repeats something itself or has a choice: a text that nearly fits can
 * then be split in more ways than there is time for. Some that are harmless are taken for such ones.
 */
function canHang(pattern: string): boolean {
  /** For each open group whether it has such a part. */
  const groups = [false]
  let isInClass = false
  for (let index = 0; index < pattern.length; index++) {
    const mark = pattern[index]
    if (mark === '\\') index++
    else if (isInClass) isInClass = mark !== ']'
    else if (mark === '[') isInClass = true
    else if (mark === '(') groups.push(false)
    else if (mark === '|' || endless.test(pattern.slice(index, index + 12)))
      groups.push(groups.pop() !== undefined)
    else if (mark === ')') {
      const isRisky = groups.pop() ?? false
      if (isRisky && endless.test(pattern.slice(index + 1, index + 13))) return true
      if (isRisky && groups.length > 0) groups[groups.length - 1] = true
    }
  }
  return false
}
