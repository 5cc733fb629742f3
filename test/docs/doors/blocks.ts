// The code blocks of a page, and the commands in those of a shell.

export interface Block {
  /** Its page and line, as in `docs/use/files.md:16`. */
  readonly at: string
  readonly language: string
  readonly heading: string
  readonly code: string
}

export interface Command {
  readonly at: string
  readonly heading: string
  readonly text: string
}

/** The languages in which blocks are programs. */
export const shell = ['sh', 'bash']
export const scripts = ['ts', 'js']
export const python = ['python']

const fence = /^ *```(\w*)$/

export function blocksOf(page: string, text: string): Block[] {
  const blocks: Block[] = []
  let heading = ''
  let open: { at: string; language: string; lines: string[] } | undefined
  for (const [index, line] of text.split('\n').entries()) {
    const found = fence.exec(line)
    if (open === undefined) heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading
    if (found === null) open?.lines.push(line)
    else if (open === undefined)
      open = { at: `${page}:${index + 1}`, language: found[1] ?? '', lines: [] }
    else {
      const { at, language, lines } = open
      blocks.push({ at, language, heading, code: lines.join('\n') })
      open = undefined
    }
  }
  return blocks
}

/** A command ends with its line, unless a backslash or an open quote continues it. */
export function commandsOf({ at, heading, code }: Block): Command[] {
  const commands: Command[] = []
  let text = ''
  for (const line of code.split('\n')) {
    if (text === '' && /^\s*(#|$)/.test(line)) continue
    text += text === '' ? line : `\n${line}`
    const quotes = text.split("'").length - 1
    if (line.endsWith('\\') || quotes % 2 === 1) continue
    commands.push({ at, heading, text })
    text = ''
  }
  return commands
}
