// Small edits of TypeScript files: names, imports and lists.

const reserved =
  /^(arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/

/** `deal-investors` becomes `dealInvestors`, and `delete`, a reserved word, becomes `deleteAction`. */
export function exportNameOf(name: string): string {
  const camelCase = name.replace(/[-_]+([A-Za-z0-9])/g, (_match, letter: string) =>
    letter.toUpperCase(),
  )
  return reserved.test(camelCase) ? `${camelCase}Action` : camelCase
}

/** `sold-pages` becomes `SoldPages`. */
export function typeNameOf(name: string): string {
  const camelCase = exportNameOf(name)
  return `${camelCase[0]?.toUpperCase()}${camelCase.slice(1)}`
}

/** Adds the import after the last one. The formatter sorts it afterwards. */
export function addImport(text: string, name: string, from: string): string {
  const last = [...text.matchAll(/^(?:import|\}) .*from '.*'\n/gm)].at(-1)
  if (last === undefined) throw new Error('The file has no imports, so none can be added.')
  const after = last.index + last[0].length
  return `${text.slice(0, after)}import { ${name} } from '${from}'\n${text.slice(after)}`
}

/** Adds `name` at the end of the list that begins with `opening`. */
export function addToList(text: string, opening: string, name: string): string {
  const { before, items, after } = openList(text, opening)
  return before + [...items, name].join(', ') + after
}

/** Adds `name` before the first greater item of the list that begins with `opening`, which is in alphabetical order. */
export function addToSortedList(text: string, opening: string, name: string): string {
  const { before, items, after } = openList(text, opening)
  const greater = items.findIndex((item) => item.toLowerCase() > name.toLowerCase())
  return (
    before + items.toSpliced(greater === -1 ? items.length : greater, 0, name).join(', ') + after
  )
}

/** The items of a list that may call functions and hold other lists. The formatter breaks the lines afterwards. */
function openList(text: string, opening: string) {
  const at = text.indexOf(opening)
  if (at === -1) throw new Error(`The file has no \`${opening}\` to add to.`)
  const start = at + opening.length
  const items: string[] = []
  let depth = 0
  let end = start
  for (let from = start; depth >= 0; end += 1) {
    const character = text[end] ?? ''
    if (character === '') throw new Error(`The list after \`${opening}\` has no end.`)
    if ('([{'.includes(character)) depth += 1
    if (')]}'.includes(character)) depth -= 1
    if (depth > 0 || (depth === 0 && character !== ',')) continue
    const item = text.slice(from, end).trim()
    if (item !== '') items.push(item)
    from = end + 1
  }
  return { before: text.slice(0, start), items, after: text.slice(end - 1) }
}
