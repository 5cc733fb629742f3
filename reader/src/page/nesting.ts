/** Deeper elements lose their tags and keep their words. No page that people read comes near. */
export const depthMax = 128

export interface TagStack {
  /** False where the element would be too deep, and is not opened. */
  open(name: string): boolean
  close(name: string): void
  closeAll(): void
}

/** Makes tags balance the way browsers do, as far as readers of text can tell, within a bounded depth. */
export function createTagStack(onEnd: () => void): TagStack {
  const stack: string[] = []
  const openByName = new Map<string, number>()
  /** Elements beyond the depth limit, so that their end tags do not close an ancestor's. */
  const flattened = new Map<string, number>()

  function pop() {
    const top = stack.pop()
    if (top === undefined) return
    openByName.set(top, (openByName.get(top) ?? 1) - 1)
    onEnd()
  }

  return {
    open(name) {
      const closes = openCloses.get(name)
      while (closes?.has(stack.at(-1) ?? '')) pop()
      if (stack.length >= depthMax) {
        flattened.set(name, (flattened.get(name) ?? 0) + 1)
        return false
      }
      stack.push(name)
      openByName.set(name, (openByName.get(name) ?? 0) + 1)
      return true
    },
    close(name) {
      const deeper = flattened.get(name) ?? 0
      if (deeper > 0) {
        flattened.set(name, deeper - 1)
        return
      }
      if ((openByName.get(name) ?? 0) === 0) return
      const index = stack.lastIndexOf(name)
      // A stray end tag inside a cell must not end the table around it.
      if (name !== 'table' && stack.findLastIndex((open) => cells.has(open)) > index) return
      while (stack.length > index) pop()
    },
    closeAll() {
      while (stack.length > 0) pop()
    },
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const cells = words('td th caption')
const voidElements = words(
  'area base br col embed hr img input link meta param source track wbr frame keygen',
)
const blocks = words(
  `address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure footer form
   h1 h2 h3 h4 h5 h6 header hgroup hr li main menu nav ol option p pre section summary table tbody td tfoot th thead tr
   ul body html button select textarea`,
)
const paragraph = words('p')

/** What an opening tag ends when it stands right inside. */
const openCloses: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...blocks]
    .filter((name) => !['br', 'button', 'select', 'option'].includes(name))
    .map((name) => [name, paragraph] as const),
  ['li', words('li p')],
  ['dd', words('dd dt p')],
  ['dt', words('dd dt p')],
  ['tr', words('tr td th p')],
  ['td', words('td th p')],
  ['th', words('td th p')],
  ['tbody', words('tbody thead tfoot tr td th p')],
  ['thead', words('tbody thead tfoot tr td th p')],
  ['tfoot', words('tbody thead tfoot tr td th p')],
  ['option', words('option')],
  ['a', words('a')],
  ['rt', words('rt rp')],
  ['rp', words('rt rp')],
])

export function isBlock(name: string): boolean {
  return blocks.has(name)
}

export function isVoid(name: string): boolean {
  return voidElements.has(name)
}
