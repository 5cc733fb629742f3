import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { htmlToMarkdown, initSync } from 'mdream/wasm'

let isReady = false

/** The WebAssembly build runs wherever Node does, and a hostile page can only trap it, not end the process. */
function prepare(): void {
  if (isReady) return
  const { resolve } = createRequire(import.meta.url)
  initSync({ module: readFileSync(resolve('mdream/wasm/mdream_edge_bg.wasm')) })
  isReady = true
}

/** Markdown of cleaned HTML, whose links are absolute already. */
export function toMarkdown(html: string): string {
  prepare()
  return tidy(htmlToMarkdown(html, { cleanUrls: false, plugins: {} })).trim()
}

/** After the marks of quotes and lists. */
const fenceOpening = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,})[^`]*$/

/** Blanks at the ends of lines go, and so do blank lines beyond the first, but not those of code. */
function tidy(markdown: string): string {
  const lines: string[] = []
  let fence: string | undefined
  for (const written of markdown.split('\n')) {
    const line = fence === undefined ? written.trimEnd() : written
    if (fence === undefined) {
      if (line === '' && lines.at(-1) === '') continue
      fence = fenceOpening.exec(line)?.[1]
    } else if (line.replace(/^[\s>]+/, '').trimEnd() === fence) fence = undefined
    lines.push(line)
  }
  return lines.join('\n')
}
