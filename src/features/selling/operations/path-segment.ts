// A segment of a path, as servers may read it.

const decodingsMax = 4

/** Whether some server may read this segment as what `is` tells: as it stands, or decoded once or more than once. */
export function mayBeRead(segment: string, is: (text: string) => boolean): boolean {
  let text = segment
  for (let times = 0; times <= decodingsMax; times++) {
    if (is(text)) return true
    const decoded = decode(text)
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** It has parameters at its end at some servers. */
export const isDots = (text: string): boolean => /^\.{1,2}(;|$)/.test(text.trim())

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
