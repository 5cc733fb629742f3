/** After the marks of quotes and lists. */
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}|~{3,})/

/** Tells of one line of Markdown after the other whether it belongs to a fenced listing, the fences included. */
export function createFenceWatch(): (line: string) => boolean {
  let fence: string | undefined
  return (line) => {
    const mark = fenceLine.exec(line)?.[1]
    const isCode = fence !== undefined || mark !== undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    return isCode
  }
}
