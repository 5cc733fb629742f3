/** Deeper elements lose their tags and keep their words. No page that people read comes near. */
export const depthMax = 128

/** What an element is for all that it holds. */
export type ElementMark = 'hidden' | 'banner'

export interface TagStack {
  open(name: string, markup: string, mark?: ElementMark): void
  close(name: string): void
  closeAll(): void
  has(name: string): boolean
  hasAny(names: ReadonlySet<string>): boolean
  /** Inside of an element with this mark. */
  isIn(mark: ElementMark): boolean
}

/** Makes tags balance the way browsers do, as far as readers of text can tell, within a bounded depth. */
export function createTagStack(write: (markup: string) => void): TagStack {
  const stack: { name: string; mark: ElementMark | undefined }[] = []
  const openByName = new Map<string, number>()
  /** Elements beyond the depth limit, so that their end tags do not close an ancestor's. */
  const flattened = new Map<string, number>()
  const depthOf = { hidden: 0, banner: 0 }

  function pop() {
    const top = stack.pop()
    if (top === undefined) return
    openByName.set(top.name, (openByName.get(top.name) ?? 1) - 1)
    if (top.mark !== undefined) depthOf[top.mark] -= 1
    write(`</${top.name}>`)
  }

  return {
    open(name, markup, mark) {
      const closes = openCloses.get(name)
      while (closes?.has(stack.at(-1)?.name ?? '')) pop()
      if (stack.length >= depthMax) {
        flattened.set(name, (flattened.get(name) ?? 0) + 1)
        return
      }
      stack.push({ name, mark })
      openByName.set(name, (openByName.get(name) ?? 0) + 1)
      if (mark !== undefined) depthOf[mark] += 1
      write(markup)
    },
    close(name) {
      const deeper = flattened.get(name) ?? 0
      if (deeper > 0) {
        flattened.set(name, deeper - 1)
        return
      }
      if ((openByName.get(name) ?? 0) === 0) return
      const index = stack.findLastIndex((element) => element.name === name)
      // A stray end tag inside a cell must not end the table around it.
      if (name !== 'table' && stack.findLastIndex((element) => cells.has(element.name)) > index)
        return
      while (stack.length > index) pop()
    },
    closeAll() {
      while (stack.length > 0) pop()
    },
    has: (name) => (openByName.get(name) ?? 0) > 0,
    hasAny: (names) => stack.some((element) => names.has(element.name)),
    isIn: (mark) => depthOf[mark] > 0,
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
