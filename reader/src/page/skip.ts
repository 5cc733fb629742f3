/** An element that is passed over with everything in it. */
export interface Skip {
  isActive(): boolean
  begin(name: string, attributes: string): void
  /** Elements of the same name inside it have ends of their own. */
  open(name: string, attributes: string): void
  close(name: string): void
}

/** These end an SVG picture whose end tag is missing, as they do in browsers, unless they stand in `foreignObject`. */
const endsPicture: ReadonlySet<string> = new Set(
  'blockquote body div dl h1 h2 h3 h4 h5 h6 img li ol p pre span table ul'.split(' '),
)

export function createSkip(): Skip {
  let skipped: string | undefined
  let depth = 0
  let foreignDepth = 0
  /** An element that is closed in its own tag holds nothing, and pages write even `<video />`. */
  const isClosed = (attributes: string) => attributes.endsWith('/')

  return {
    isActive: () => skipped !== undefined,
    begin(name, attributes) {
      if (isClosed(attributes)) return
      skipped = name
      depth = 1
      foreignDepth = 0
    },
    open(name, attributes) {
      if (name === skipped && !isClosed(attributes)) depth += 1
      else if (name === 'foreignobject') foreignDepth += 1
      else if (skipped === 'svg' && foreignDepth === 0 && endsPicture.has(name)) skipped = undefined
    },
    close(name) {
      if (name === 'foreignobject') foreignDepth -= 1
      if (name !== skipped) return
      depth -= 1
      if (depth === 0) skipped = undefined
    },
  }
}
