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

/** Adds the import after the last one. The formatter sorts it afterwards. */
export function addImport(text: string, name: string, from: string): string {
  const last = [...text.matchAll(/^(?:import|\}) .*from '.*'\n/gm)].at(-1)
  if (last === undefined) throw new Error('The file has no imports, so none can be added.')
  const after = last.index + last[0].length
  return `${text.slice(0, after)}import { ${name} } from '${from}'\n${text.slice(after)}`
}

/** Inserts `name` at the start of the list that begins with `opening`. */
export function addToList(text: string, opening: string, name: string): string {
  const at = text.indexOf(opening)
  if (at === -1) throw new Error(`The file has no \`${opening}\` to add ${name} to.`)
  const rest = text.slice(at + opening.length)
  const isEmpty = rest.trimStart().startsWith(']')
  return `${text.slice(0, at)}${opening}${name}${isEmpty ? '' : ', '}${rest.trimStart()}`
}
